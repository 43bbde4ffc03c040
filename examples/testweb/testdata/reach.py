#!/usr/bin/env python3
"""Count from its files what a crawler reaches on a web that `testweb -root DIR` serves.

    reach.py DIR [SEED...]        seeds: the front page of every host, if none is given

DIR holds one folder a host. Prints one URL a line in order, canonical, and behind a tab what
a crawler meets there: 200, 301, 404 or forbidden (by robots.txt; not fetched). The links of a page
are taken at each of its URLs, also where another page has an equal body.

What is followed, and how, is written from the standards, and shares no code, parser or library
with the crawler that it checks:

  links      href and src of every element, for so the thesis has it (3.2.2), srcset of img and
             source, poster of video, data of object, xlink:href of a; meta refresh; the Location
             of a redirect. Not what has rel=nofollow, nor dns-prefetch and preconnect, nor any
             on a page with meta robots nofollow or none. Comments, scripts, styles, titles, text
             areas and the inside of iframe hold no links; noscript is read as markup. In svg and
             math such elements are markup, too, and end by "/>".
  URLs       resolved as the WHATWG URL standard has it, queries in the charset of the page,
             the first base element taken into account; then canonical: no fragment, no default
             port, no dot segments, host in small letters, percent-encodings in their normal form.
  scope      http, and the hosts in DIR. There is no bound on depth.
  robots     RFC 9309, for the product token of --agent.
  answers    as the package comment of testweb says: a folder without its slash is a 301, a
             folder its index.html, the query is ignored. Only text/html is read for links.

Python 3.9 or later, standard library only.
"""

import argparse
import html.entities
import html.parser
import multiprocessing
import os
import re
import sys
import urllib.parse

MAX_URL = 8192  # longer ones are no URLs to a crawler
SPACE = "\t\n\f\r "


# --- URLs ---------------------------------------------------------------------------------

SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(.*)", re.S)
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
PATH_SET = frozenset(b"\"#<>?`{}")  # escaped in a path, beside controls, blanks and non-ASCII
QUERY_SET = frozenset(b"\"#<>'")


def resolve(base, ref, encoding="utf-8"):
    """The canonical http URL that ref means on the page base, or None."""
    ref = ref.strip("".join(map(chr, range(33))))
    ref = re.sub("[\t\n\r]", "", ref).partition("#")[0]
    if len(ref) > MAX_URL:
        return None
    host, path, query = split(base)
    scheme = SCHEME.match(ref)
    if scheme:
        if scheme[1].lower() != "http":
            return None
        ref = scheme[2]
        if not re.match(r"[/\\]{2}", ref) and base is None:
            ref = "//" + ref.lstrip("/\\")
    elif base is None:
        return None
    ref, mark, ref_query = ref.partition("?")
    ref = ref.replace("\\", "/")
    if ref.startswith("//"):
        authority, slash, rest = ref.lstrip("/").partition("/")
        host, path, query = host_name(authority), slash + rest, None
    elif ref.startswith("/"):
        path, query = ref, None
    elif ref:
        path, query = path[: path.rindex("/") + 1] + ref, None
    if mark:
        query = escape(encode_query(ref_query, encoding), QUERY_SET)
    if host is None:
        return None
    url = "http://" + host + escape("/".join(segments(path)).encode("utf-8", "replace"), PATH_SET)
    if query is not None:
        url += "?" + query
    return url if len(url) <= MAX_URL else None


def split(url):
    """Host, path and query (None where there is no question mark) of a canonical URL."""
    if url is None:
        return None, "/", None
    host, _, rest = url[len("http://"):].partition("/")
    path, mark, query = rest.partition("?")
    return host, "/" + path, query if mark else None


def host_name(authority):
    """The host of an authority, with its port unless it is 80; None where it is none."""
    name, colon, port = authority.rpartition("@")[2].partition(":")
    name = urllib.parse.unquote(name).lower().rstrip(".")
    try:
        name = name.encode("ascii").decode() if name.isascii() else name.encode("idna").decode()
    except UnicodeError:
        return None
    if not re.fullmatch(r"[a-z0-9_.-]+", name) or port and not port.isdigit():
        return None
    return name if not port or int(port) == 80 else name + ":" + port


def segments(path):
    """The segments of a path, dot segments (also escaped ones) applied."""
    out = []
    parts = path.split("/")[1:] or [""]
    for i, part in enumerate(parts):
        dots = re.sub("%2e", ".", part, flags=re.I)
        last = i == len(parts) - 1
        if dots == "..":
            out = out[:-1] + ([""] if last else [])
        elif dots == ".":
            out = out + ([""] if last else [])
        else:
            out.append(part)
    return [""] + out


def encode_query(query, encoding):
    """The bytes of a query: legacy charsets keep theirs, what they lack becomes &#N;."""
    return query.encode(encoding, "xmlcharrefreplace" if encoding != "utf-8" else "replace")


def escape(data, reserved):
    """data percent-encoded where reserved says so, its present escapes in normal form."""
    out, i = [], 0
    while i < len(data):
        c, i = data[i], i + 1
        if c == 0x25:
            digits = data[i : i + 2]
            if re.fullmatch(rb"[0-9A-Fa-f]{2}", digits):
                value, i = int(digits, 16), i + 2
                out.append(chr(value) if value in UNRESERVED else "%%%02X" % value)
            else:
                out.append("%25")
        elif c <= 0x20 or c >= 0x7F or c in reserved:
            out.append("%%%02X" % c)
        else:
            out.append(chr(c))
    return "".join(out)


# --- pages --------------------------------------------------------------------------------

REFERENCE = re.compile(r"&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[a-zA-Z][a-zA-Z0-9]*;?)(?=(.?))", re.S)


def unescape_attribute(text):
    """Character references as attributes have them: &copy= and &copyx stay as they are."""

    def one(m):
        name, following = m[1], m[2]
        if name[0] == "#":
            return html.unescape("&" + name)
        if name.endswith(";") or following != "=":
            return html.entities.html5.get(name, m[0])
        return m[0]

    return REFERENCE.sub(one, text) if "&" in text else text


html.parser.unescape = unescape_attribute  # what HTMLParser decodes attributes with


class Links(html.parser.HTMLParser):
    """Collects the references of a page, unresolved, with whether they are to be followed."""

    CDATA_CONTENT_ELEMENTS = ("script", "style", "title", "textarea", "xmp", "iframe")
    POINTS = ("foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "template")  # hold HTML
    BREAKOUT = frozenset(
        "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol"
        " p pre ruby s small span strong strike sub sup table tt u ul var".split()
    )
    OTHERS = {("object", "data"), ("video", "poster"), ("a", "xlink:href")}

    def __init__(self):
        super().__init__(convert_charrefs=False)
        self.base = None
        self.refs = []
        self.nofollow = False
        self.inside = []  # what is open of svg, math and templates
        self.foreign = False  # the tag at hand is one of svg or math
        self.raw = False  # the next end tag ends text without markup

    def enter(self, tag, closed):
        self.foreign = bool(self.inside) and self.inside[-1] not in self.POINTS
        if self.foreign and tag in self.BREAKOUT:
            self.leave()
        self.foreign |= tag in ("svg", "math")
        if self.foreign and not closed or tag == "template":
            self.inside.append(tag)

    def leave(self):
        while self.inside and self.inside[-1] not in self.POINTS:
            self.inside.pop()
        self.foreign = False

    def handle_endtag(self, tag):
        if self.raw:
            self.raw = False
        elif tag in self.inside:
            while self.inside.pop() != tag:
                pass
        elif tag in self.BREAKOUT:
            self.leave()

    def set_cdata_mode(self, elem):
        if not self.foreign:
            self.raw = True
            super().set_cdata_mode(elem)

    def handle_starttag(self, tag, attrs):
        self.enter(tag, False)
        self.take(tag, attrs)

    def take(self, tag, attrs):
        at = {}
        for name, value in attrs:  # the first of two attributes of one name counts
            at.setdefault(name, value or "")
        rel = set(re.split("[\t\n\f\r ,]+", at.get("rel", "").lower()))
        if tag == "base" and not self.foreign and "template" not in self.inside:
            self.base = at.get("href") if self.base is None else self.base
        elif tag == "meta":
            self.meta(at)
        elif not rel & {"nofollow", "dns-prefetch", "preconnect"}:
            self.element(tag, at)

    def handle_startendtag(self, tag, attrs):
        self.enter(tag, True)
        self.take(tag, attrs)
        if tag in self.CDATA_CONTENT_ELEMENTS:
            self.set_cdata_mode(tag)  # HTML knows no <script/>

    def element(self, tag, at):
        for name, value in at.items():
            if name in ("href", "src") or (tag, name) in self.OTHERS:
                self.refs.append(value)
        if tag in ("img", "source"):
            self.refs += srcset(at.get("srcset", ""))

    def meta(self, at):
        content = at.get("content", "")
        if at.get("http-equiv", "").lower() == "refresh":
            m = re.match(r"\s*[0-9.]*\s*[;,\s]\s*(?:url\s*=\s*)?(?:'([^']*)|\"([^\"]*)|(\S.*))", content, re.I | re.S)
            if m:
                self.refs.append(m[1] or m[2] or m[3] or "")
        if at.get("name", "").lower() == "robots":
            directives = re.split("[\t\n\f\r ,]+", content.lower())
            self.nofollow |= "nofollow" in directives or "none" in directives


def srcset(text):
    """The URLs of a srcset attribute."""
    urls, i = [], 0
    while True:
        while i < len(text) and text[i] in SPACE + ",":
            i += 1
        start = i
        while i < len(text) and text[i] not in SPACE:
            i += 1
        if start == i:
            return urls
        url = text[start:i]
        urls.append(url.rstrip(","))
        if not url.endswith(","):
            comma = text.find(",", i)
            i = len(text) if comma < 0 else comma


def charset(data):
    """The charset of a page: byte order mark, meta element (in 1,024 bytes or the head), or a guess."""
    for mark, name in ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")):
        if data.startswith(mark):
            return name
    meta = re.compile(rb"<meta[^>]*charset\s*=\s*[\"']?\s*([a-zA-Z0-9_:.-]+)", re.I)
    head = re.sub(rb"<!--.*?-->|<(script|style|title)\b.*?</\1", b"", re.split(rb"(?i)</head|<body", data, maxsplit=1)[0], flags=re.I | re.S)
    m = meta.search(data[:1024]) or meta.search(head)
    if m:
        name = m[1].decode().lower()
        if name in ("iso-8859-1", "latin1", "us-ascii", "ascii"):
            return "cp1252"  # as browsers have it
        try:
            "".encode(name)
            return "utf-8" if name.startswith("utf") else name
        except LookupError:
            pass
    try:
        data.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        return "cp1252"


def read_page(job):
    """The canonical URLs that the page of (url, file) links."""
    url, file = job
    with open(file, "rb") as f:
        data = f.read()
    encoding = charset(data)
    text = data.decode(encoding, "surrogateescape" if encoding == "utf-8" else "replace")
    parser = Links()
    parser.feed(text)
    parser.close()
    base = url
    if parser.base is not None:
        base = resolve(url, parser.base) or url
    if parser.nofollow:
        return frozenset()
    links = {resolve(base, ref, encoding) for ref in set(parser.refs)}
    if parser.base is not None:
        links.add(resolve(url, parser.base))
    return links - {None}


# --- the served web -----------------------------------------------------------------------


class Web:
    """What `testweb -root` answers, from the names of the files."""

    def __init__(self, folder, agent):
        self.hosts = {h for h in os.listdir(folder) if os.path.isdir(os.path.join(folder, h)) and h == h.lower() and h[0] != "."}
        self.folder = folder
        self.rules = {h: robots_rules(os.path.join(folder, h, "robots.txt"), agent) for h in self.hosts}

    def has(self, url):
        return split(url)[0] in self.hosts

    def answer(self, url):
        """(outcome, file to read links from or None, where it redirects to or None)"""
        host, path, query = split(url)
        if path != "/robots.txt" and not allowed(self.rules[host], path + ("" if query is None else "?" + query)):
            return "forbidden", None, None
        name = os.fsdecode(urllib.parse.unquote_to_bytes(path))
        parts = name[1:].removesuffix("/").split("/")
        if "%2F" in path or "\0" in name or name != "/" and any(p in ("", ".", "..") for p in parts):
            return "404", None, None
        file = os.path.join(self.folder, host, name[1:].removesuffix("/"))
        if os.path.isdir(file):
            if not name.endswith("/"):
                return "301", None, resolve(url, path + "/" + ("" if query is None else "?" + query))
            file = os.path.join(file, "index.html")
        elif name.endswith("/"):
            return "404", None, None
        if not os.path.isfile(file):
            return "404", None, None
        return "200", file if file.lower().endswith((".html", ".htm")) else None, None


def robots_rules(file, agent):
    """The rules of robots.txt that hold for agent: (pattern, allowed) pairs."""
    try:
        with open(file, "rb") as f:
            lines = f.read(500 << 10).decode("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return []
    groups, agents, in_rules = {}, [], False
    for line in lines:
        key, colon, value = line.partition("#")[0].partition(":")
        key, value = key.strip().lower(), value.strip()
        if key == "user-agent":
            agents = agents if not in_rules else []
            token = re.match("[a-zA-Z_-]*", value)[0].lower()
            agents.append("*" if value.startswith("*") else token)
            in_rules = False
            groups.setdefault(agents[-1], [])
        elif key in ("allow", "disallow"):
            in_rules = True
            for a in agents:
                if value:
                    groups[a].append((escape(value.encode(), frozenset()), key == "allow"))
    return groups.get(agent.lower(), groups.get("*", []))


def allowed(rules, target):
    """The longest matching rule decides; Allow wins a tie."""
    verdict, longest = True, -1
    for pattern, allow in rules:
        expression = ".*".join(map(re.escape, pattern.rstrip("$").split("*"))) + ("$" if pattern.endswith("$") else "")
        if re.match(expression, target, re.S) and (len(pattern), allow) > (longest, verdict if longest >= 0 else False):
            verdict, longest = allow, len(pattern)
    return verdict


# --- the crawl ----------------------------------------------------------------------------


def crawl(web, seeds, pool):
    """What is met when every page is followed: outcomes by URL."""
    outcome = {}
    wave = set(seeds)
    while wave:
        jobs, following = [], set()
        for url in wave:
            outcome[url], file, target = web.answer(url)
            if file:
                jobs.append((url, file))
            if target:
                following.add(target)
        for found in pool.imap_unordered(read_page, sorted(jobs), chunksize=16):
            following.update(u for u in found if web.has(u))
        wave = following - outcome.keys()
    return outcome


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dir", metavar="DIR")
    p.add_argument("seeds", metavar="SEED", nargs="*")
    p.add_argument("--agent", default="examplebot", help="product token of the crawler (default %(default)s)")
    args = p.parse_args()
    web = Web(args.dir, args.agent)
    seeds = [resolve(None, s) for s in args.seeds] or ["http://%s/" % h for h in web.hosts]
    if not web.hosts or not all(s and web.has(s) for s in seeds):
        sys.exit("reach.py: no hosts in %s, or a seed that is none of its URLs" % args.dir)
    with multiprocessing.Pool() as pool:
        outcome = crawl(web, seeds, pool)
    for url in sorted(outcome):
        print(url, outcome[url], sep="\t")


if __name__ == "__main__":
    main()
