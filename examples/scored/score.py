"""Writes the URLs of batches, each with a score from 0 to 1: how much it is wanted."""
import re
import sys

WANTED = re.compile("//h01[5-9][.]")  # the rule of this crawl; yours may read anything that the record has

for path in sys.argv[1:]:
    with open(path, encoding="ascii") as batch:
        for line in batch:
            url, tab, attributes = line.rstrip("\n").partition("\t")
            print(f"{url}\tscore={0.9 if WANTED.search(url) else 0.1}{tab}{attributes}")
