"""What scrapy crawls the web of bench by: all links, each answer a file."""

from hashlib import sha1

from scrapy import Spider
from scrapy.linkextractors import LinkExtractor


class Bench(Spider):
    name = "bench"
    start_urls = ["http://h000.test/"]
    links = LinkExtractor(allow_domains=["test"])
    custom_settings = {
        "ROBOTSTXT_OBEY": True,
        "CONCURRENT_REQUESTS": 32,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
        "DOWNLOAD_DELAY": 0,
        "AUTOTHROTTLE_ENABLED": False,
        "RETRY_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
    }

    def parse(self, response):
        with open(sha1(response.url.encode()).hexdigest(), "wb") as file:
            file.write(response.body)
        if hasattr(response, "text"):
            for link in self.links.extract_links(response):
                yield response.follow(link)
