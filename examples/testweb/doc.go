// Command testweb is a web on loopback addresses, for crawls that need no network. Many
// virtual hosts answer on each, told apart by the Host header; a crawler reaches them by
// sending every name to its address (-connect-to '*=127.0.0.1:8480'). It counts what is
// asked of it, so that a crawl can be judged from the other side of the wire.
//
//	testweb -listen 127.0.0.1:8480 -hosts 20 -pages 100    a synthetic web
//	testweb -listen 127.0.0.1:8480 -root DIR               the sites in a folder
//	testweb -listen 127.0.0.1:8480 -hosts 60 -hostile 20   a third of the hosts misbehave
//	testweb -reach -hosts 20 -pages 100 http://h000.test/  what a crawl must find
//	testweb -listen 127.0.0.1:8480 -topical FILE           a web of pages with topics
//	testweb -topical FILE -links                           all of its pages and links
//	testweb -topical FILE -seed 101 -train DIR 100         pages to train a classifier on
//
// The first line on stdout is the address it listens on; until then nothing answers. SIGINT
// and SIGTERM end it with exit code 0; 1 is a failure, 2 wrong usage. Only loopback
// addresses are taken.
//
// -listen may be given several times (127.0.0.1:8480, 127.0.0.2:8480); the first line names
// all, with blanks between. Of N addresses, host i answers on number i modulo N and gets 421
// on the others; the hosts of a folder are numbered in order of name.
//
// # The synthetic web
//
// It follows from -seed, -hosts and -pages alone: the same flags give the same bytes, on
// every machine. The hosts are h000.test, h001.test, and so on. A host of P pages has:
//
//   - P pages of 12,000 to 16,384 bytes of pseudo-prose with 20 links, four fifths of them
//     to the same host, and a stylesheet and a picture. Page 0 is the front page "/"; page
//     i links to pages 2i+1 and 2i+2, and every front page to that of the next host, so
//     every page of the web is reachable from any front page.
//   - Duplicates: /index.html is the front page again, every 25th page exists a second time
//     with the query print=1, and /mirror/1.html is page 1 of the host before. Copies link
//     alike: whichever of them a crawler takes for the original, it finds the same links.
//   - Redirects under /r/: 301 and 302, absolute and relative, a chain of three, one to the
//     next host, and a loop of two. All 301 answers share one body. Every 50th page is
//     linked by its redirect only.
//   - Dead links: every 25th page links to a page under /gone/ that answers 404.
//   - Forbidden pages, linked like any other, but not allowed by robots.txt: by prefix, by
//     a longer Allow beside a Disallow, by wildcard, as the host's number modulo 4 says;
//     every fourth host has no robots.txt at all. -crawl-delay adds a Crawl-delay to every
//     fifth host.
//   - /style.css, three pictures, /doc/paper.pdf and /notes.txt, the last two with markup
//     in them that no crawler should read.
//
// Links are spelled in all the ways of the field: relative, with dot segments, from a base
// element, absolute, with capitals in scheme and host, with the default port, without
// scheme, with fragments, entities and blanks, with percent-encodings that need not be.
// Every seventh page is ISO-8859-1, declared in the header or in a meta element. Comments,
// scripts and text areas hold links that are none.
//
// -plain leaves out what makes many crawlers lose pages or ask for what is none: letters outside
// ASCII and & in URLs, rare markup of links, fragments of redirects, and an Allow inside a
// Disallow. Then they can be compared (examples/rigs/bench).
//
// # A folder as a web
//
// -root DIR serves DIR/HOST/PATH for http://HOST/PATH. A folder without its slash answers
// 301 to the name with it; with the slash its index.html, or 404 (nothing is listed). The
// query is ignored, empty and dot segments answer 404, and nothing outside DIR is ever
// opened. The content type follows the extension and names no charset. robots.txt comes
// from the host's folder. What a crawl of a folder must find is counted from its files by
// testdata/reach.py, which shares nothing with the crawler.
//
// # The topical web
//
// -topical FILE serves a web whose pages have topics, for crawlers that share a web by topic. It
// follows from -seed and the parameters in FILE alone (examples/c4/web.toml says why each has its
// value there); nothing is kept for a page, so it may have millions. -set NAME=VALUE takes the
// place of a parameter, as -set locality=0.2. A test of the machinery, it is no evidence about the
// Web.
//
// The format of FILE, version 1, is TOML:
//
//	web          1, the version
//	pages        their number, all hosts together, portals beside them
//	host_pages   mean size of a host, a multiple of 4; of eight hosts in a row the sizes are
//	             1, 2, 2, 3, 4, 4, 5 and 11 quarters of it
//	portals      pages of http://portal.test/, each of general words and portal_links links to any pages
//	sizes        a table, topic = size: the shares of the pages; foreign is a topic, too: pages that are not English
//	languages    of foreign pages, each host has one: de, es, fr, it, pl, ru
//	host_purity  probability that a page has the main topic of its host, otherwise any
//	links        of a page to others; each page links to one of the portals, too
//	locality     probability that the topic of a link is its page's, otherwise that of any page of the web
//	same_host    probability that a link looks for a page of this topic on its own host first
//	redirects, gone, no_text, short, no_topic
//	             shares of the pages that answer 301 (to one page, drawn like a link) or 404, that have no
//	             term, few terms, or general words only; they have a topic all the same, by which links find them
//	dead_hosts   share of the hosts that close every connection without an answer
//	terms, short_terms
//	             [LEAST, MOST] terms of a page, and of a short one
//	topical      share of the terms that are on a topic, otherwise general
//	own          share of these that are on the page's own, otherwise on any topic but foreign
//
// So with locality 0 the topic of a link owes nothing to that of its page, however pure the hosts
// are, and the chance that the two agree is Σ share². Hosts are c000.test, c001.test and so on;
// their pages /00000.html, /00001.html and so on. A web of more pages holds the hosts of one with
// fewer, so that the same URLs are seeds of both. There is no robots.txt.
//
// -links prints a line for each URL behind a line of names, tabs between: url, status (0 of a dead
// host), kind (page, no-topic, short, no-text, redirect, gone, dead, portal), topic (- of a
// portal), language, and the URLs it links, blanks between, in the order of the page; a page may
// link itself, which extract leaves out. -train DIR N writes DIR/TOPIC/NUMBER.html, the first N
// pages of kind page of each topic but foreign; take another seed than that of the crawled web. In
// the counts, portals and all that answers 200 are pages, 404 is notfound.
//
// # Visits to what is known
//
// Every 200 has an ETag, which follows from the body. A request with it in If-None-Match is
// answered 304 without a body, and counts like any other.
//
// # What is counted
//
// GET /__stats on any host answers with a JSON object, and is itself not counted:
//
//	kinds       for each kind of URL: distinct URLs fetched, and repeated fetches of them
//	violations  fetches of what robots.txt did not allow at that moment
//	connections, requests
//	            the most that were open at once for one host, and which host
//	connections_with_robots, requests_with_robots
//	            the same, robots.txt included; above, it is left out
//	gap         the shortest time, in seconds, from the end of an answer of a host to the start of
//	            the next request to it, robots.txt left out; null before the second; 0 if they overlap
//	robots_gap  the same where one of the two is robots.txt
//	pace        the shortest time, in seconds, from the start of a request to a host to the start
//	            of the next, robots.txt left out; a request that was long on its way shortens it
//	address_connections, address_requests, address_gap, address_pace
//	            the same for an address with all its hosts, robots.txt left out
//
// The kinds are page, duplicate, redirect, notfound, nonhtml, robots.txt, forbidden, stray (a URL
// that no link names: the crawler made it up or read what is no link) and dead (-dead); a host that
// misbehaves adds the name of its fault. A folder has no duplicates and no strays: what is not
// there is notfound.
//
// /__stats?hosts=1 adds each host and each address listened on, with answers, the number of those
// that are complete, and busy, the seconds that these took all together, robots.txt left out;
// /__stats?urls=1 each URL with its kind and count, /__stats?reset=1 answers and then forgets
// everything.
//
// An answer ends when the last 32 KB of it are handed to the kernel. A client that has read
// the whole answer can therefore not be seen as too early, and a connection that the client
// has closed no longer counts, even when the server has not yet read the end (Linux).
//
// With -stats FILE the same object, with hosts, addresses and URLs, is written at the end and
// each second when something changed, atomically, and taken up again at the next start: a
// crawl that is killed together with its web keeps its counts but for the last second.
//
// # Speed
//
// -speeds 20000-2000000 sends the body of each answer at a number of bytes a second, that of
// its host: drawn once for each host, evenly on a logarithmic scale, as -seed says.
//
// # Faults
//
// -delay waits before each answer. -dead HOST closes every connection that asks for HOST
// without an answer. -robots-503 HOST=DURATION answers 503 to /robots.txt of HOST for that
// long after the (first) start; meanwhile each other fetch from HOST is a violation, as RFC
// 9309 has it.
//
// # Hosts that misbehave
//
// With -hostile N, N of the -hosts misbehave, spread evenly: host i of H does where iN/H and
// (i+1)N/H, cut to whole numbers, differ. The first of them has the first fault of this table, and
// so on, and around again; -fault NAME takes that one only, and may be given more than once. The
// other hosts are as without -hostile, except that their links to a host that misbehaves all lead
// to its front page. No link leads back, so what -reach counts of them does not depend on how a
// crawler fares elsewhere; for a host that misbehaves it counts the front page.
//
// A host has its fault at every address. Its robots.txt forbids /private/, in good form, unless the
// fault is there. Answers count by the name of the fault; with robots-500, -429, -silent, -resets
// and -slow every fetch of another address is a violation, with robots-binary, -html and -loop none
// is. Each answer ends when the client has closed the connection, and after a minute. What the
// faults keep in memory is some 25 MB, all of it bombs, and an answer of at most 14 MB for each
// request under way. Links of these pages lead to names under .test, to addresses that a crawler
// must not connect to, and nowhere else.
//
// No head, or a bad one:
//
//	silent            no answer at all
//	closes            the connection is closed at once
//	resets            and here reset
//	head-cut          closed within the head
//	head-reset        reset within the head
//	head-silent       half a head, and silence
//	head-slow         a byte of the head each second
//	head-endless      fields without end
//	head-lines        100,000 fields, and then a page
//	head-line         a field without end
//	head-controls     NULs, terminal escapes and such in reason phrase, names and values
//	interim           100 and 103 without end
//	status            the status is 99999
//	banner            that of an SSH server
//	binary            64 KB of noise
//	http09            a page without a head
//
// A body without end, or wrongly framed:
//
//	body-silent       half a body, and silence
//	body-slow         a byte of the body each second
//	body-endless      chunks without end
//	body-unbounded    no length, and no end
//	body-reset        reset within the body
//	length-huge       a terabyte, and the server means it
//	length-long       longer than the body
//	length-short      shorter than the body
//	length-negative   -1
//	length-absurd     more than 64 bits
//	length-two        two that differ
//	length-chunked    a length and chunks
//	chunk-garbled     a size that is no number
//	chunk-huge        of 2^64-1 bytes
//	chunk-cut         closed within a chunk
//	chunk-extension   one without end
//	chunk-trailer     one without end
//	chunk-crumbs      chunks of a byte, without end
//
// Content codings; a bomb is 10 GiB of zeros:
//
//	gzip-bomb         in 10 MB
//	gzip-nested       the same, coded twice
//	deflate-bomb      in 10 MB
//	br-bomb           in 1 MB
//	zstd-bomb         in 320 KB
//	zstd-window       a frame that wants a window of 2 TiB
//	gzip-lie          a page that is not coded
//	gzip-cut          one that ends early
//	coding-unknown    x-rot13
//	coding-many       a thousand codings
//
// Redirects:
//
//	redirect-self     to the same URL
//	redirect-loop     of three
//	redirect-endless  each to a new URL
//	redirect-long     to a URL of 10 KB
//	redirect-private  to loopback, private and link-local addresses, in many spellings; links too
//	redirect-scheme   to file:, gopher:, javascript: and so on; links too
//	redirect-garbled  to what is no URL; links too
//
// Not now, for ever:
//
//	busy-429          429 without Retry-After
//	busy-503          503 without Retry-After
//	busy-seconds      429, in 2 seconds
//	busy-date         503, at a time 3 seconds ahead
//	busy-past         503, in 1970
//	busy-negative     429, in -5 seconds
//	busy-garbled      503, "soon"
//	busy-absurd       503, in 10^20 seconds
//
// Faults of robots.txt, before a small site in good health:
//
//	robots-500        500 for ever
//	robots-429        429 for ever
//	robots-silent     no answer
//	robots-resets     reset
//	robots-slow       a byte each second
//	robots-endless    rules, and then comments without end
//	robots-10mb       rules, and 10 MB of comments
//	robots-chain      rules behind five redirects
//	robots-binary     64 KB of noise
//	robots-controls   rules among terminal escapes
//	robots-html       a page
//	robots-loop       a redirect to itself
//
// Webs without end, of pages in good form:
//
//	trap-calendar     each month links to the next, the one before, and the same of the next year
//	trap-path         /a/b/a/b/a/b/
//	trap-session      a new number in every link
//	trap-query        every filter links to two more
//	trap-hosts        every host links to two new ones: x7.h000.test has x15 and x16
//	trap-random       links that are never the same
//	trap-links        a megabyte of links
//	trap-refresh      each page refreshes to a new one
//
// Pages that are hard to read, or to print:
//
//	page-nested       10 MB of <div>
//	page-attribute    one of 5 MB
//	page-attributes   a million of them
//	page-comment      one that does not end
//	page-entities     a million of them
//	page-controls     NULs, terminal escapes and such in title and links
//	page-names        links that are dangerous as names of files, or in a shell
//	page-urls         links that are no URLs, or hardly
//	page-random       a megabyte of noise
//
// Lies:
//
//	type-image        a page that says it is a picture
//	type-none         a page that does not say what it is
//	type-html         a picture that says it is a page
//	type-garbled      a Content-Type that is none
//	charset-utf16     a page in ASCII that says it is UTF-16
//	charset-unknown   charset=klingon
//	charset-two       two in the header, another in the page
//	cookies           of 4 KB each, for every domain there is
//
// # Hosts that starve the others
//
// They take the time of a crawl, and so the pages of all other hosts. Only -fault names them;
// examples/rigs/starve has what comes of each.
//
//	links-large       a front page with 10,000 links to small pages of its own
//	links-two-drip    with two links, to pages of which a byte comes each second
//	links-drip        with 10,000 such links
//	names-drip        with links to 120 hosts below it; of their robots.txt a byte comes each second
//	names-endless     with links to 5,000 such hosts
package main
