// Package urlbatch reads and writes URL batches, the files that URLs travel in.
//
// A batch is text, one record a line:
//
//	URL [TAB key=value] …
//
// URL is a canonical URL, bytes 0x21 to 0x7e only. A key is of a to z, 0 to 9 and _; a value
// is escaped as package percent does it (every byte outside 0x21 to 0x7e, and %, is %XX).
// Attributes a stage does not know travel on. A line has at most 64 KiB without its newline;
// the newline of the last line may be missing; a record that attributes make longer than that
// loses the longest of them when it is written. In use are:
//
//	depth   links from a seed (integer; absent is 0)
//	via     URL of the page that held the link
//	tries   tries so far that failed (integer)
//	outages tries beside these that failed as if the network were down; set by fetch (integer)
//	held    unix seconds at which fetch first put it off, for its host wanted to be left alone
//	since   unix seconds of the first "not now" of robots.txt
//	reason  why the record was failed, refused or rejected
//	anchor  text of the link
//	label   what classify says of the page: a topic, or a language
//	sure    how sure it is of the topic, from 0 to 1
//	near    URL of an earlier page that the page at this one is nearly a copy of, or its own, where it
//	        is nearly what it was at an earlier visit; set by xdup -near
//	copy    URL of an earlier page with the same body, whose links were taken; set by xdup -copies
//	addr    pinned addresses, ip:port, joined by commas
//	until   unix seconds at which the pin expires
//	delay   crawl-delay of robots.txt, milliseconds
//	rel     sitemap: to be read as a sitemap; listed: a sitemap has it
//	arrived 1: the page has come from another crawler; set by gofer pull in the batch that tells filter so
//	peer    the crawler that has delivered the page, in its WARC record; set by gofer pull
//	owner   the crawler that owns the page which holds the link; from classify pages by way of extract to
//	        classify links, which removes it
//
//	etag      ETag of the last capture: fetch asks whether the page is another now
//	modified  Last-Modified of the last capture, as the server wrote it: the same
//	date      WARC-Date of the last capture (RFC 3339), for the record of a 304
//	visit     visits to the page before this one, where it is not the first; set by refresh
//	redirects redirects in a row that led here (integer; absent is 0)
//
// addr, until and delay are set by resolve, and removed from a record that goes to again.
// etag, modified and date are set by who revisits pages, and removed when there is an answer.
//
// A file is zstd or gzip, told on reading by its first bytes and on writing by its extension
// (.zst, .gz); concatenated files are one batch. Anything else is plain text, which is how
// people write seeds: there blank lines and lines that begin with # are no records, blanks and
// a carriage return around a line are dropped, and bytes above 0x7f in the URL are escaped.
//
// A line that is none (other bytes, no URL, a URL that begins with #, a malformed attribute, too
// long) does not stop the reader. It is a record read all the same: Each makes a record of it
// that is safe to write, with the pseudo URL bad-line:ESCAPED and reason=bad-line.
package urlbatch

// MaxLine is the bound on a line's length in bytes, without the newline.
const MaxLine = 64 << 10

// Names of the attributes that several stages use.
const (
	Depth   = "depth"
	Via     = "via"
	Tries   = "tries"
	Outages = "outages"
	Since   = "since"
	Reason  = "reason"
	Anchor  = "anchor"
	Label   = "label"
	Sure    = "sure"
	Near    = "near"
	Copy    = "copy"
	Addr    = "addr"
	Until   = "until"
	Delay   = "delay"
	Rel     = "rel"
	Arrived = "arrived"
	Peer    = "peer"
	Owner   = "owner"

	ETag      = "etag"
	Modified  = "modified"
	Date      = "date"
	Visit     = "visit"
	Redirects = "redirects"
	Held      = "held"
)

// Values of the attribute rel.
const (
	Sitemap = "sitemap"
	Listed  = "listed"
)

// BadLine is the reason of records that are no valid line.
const BadLine = "bad-line"
