// Package urlbatch reads and writes URL batches, the files in which stages pass URLs.
//
// A batch is text, one record a line:
//
//	URL [TAB key=value] …
//
// URL is a canonical URL, bytes 0x21 to 0x7e only. A key consists of a to z, 0 to 9 and _. A value
// is escaped as in package percent (every byte outside 0x21 to 0x7e, and %, is %XX). The constants
// below are the attributes in use; a stage keeps attributes that it does not know. A line has at
// most 64 KiB without its newline; the newline of the last line may be missing. If attributes make
// a record longer, its longest attributes are removed when it is written.
//
// A file is compressed with zstd or gzip. A reader recognizes this by the first bytes, a writer by
// the extension (.zst, .gz). Concatenated files are one batch. Any other file is plain text, such
// as a list of seeds that a user wrote. In plain text, blank lines and lines that begin with # are
// ignored, blanks and a carriage return around a line are removed, and bytes above 0x7f in a URL
// are escaped.
//
// A line that is not a record (other bytes, no URL, a URL that begins with #, a malformed
// attribute, too long) does not stop the reader. Each turns such a line into a record that is safe
// to write, with the pseudo URL bad-line:ESCAPED and reason=bad-line.
package urlbatch

// MaxLine is the maximum length of a line in bytes, without the newline.
const MaxLine = 64 << 10

// Attributes of a URL. Numbers are decimal integers, and a missing number is 0. Times are unix
// seconds.
const (
	Depth     = "depth"     // links from a seed
	Via       = "via"       // URL of the page that held the link
	Anchor    = "anchor"    // text of the link
	Redirects = "redirects" // redirects in a row that led here
	Rel       = "rel"       // Sitemap or Listed

	Reason  = "reason"  // why the record was failed, refused or rejected
	Tries   = "tries"   // tries so far that failed
	Outages = "outages" // tries besides that failed as if the network were down; set by fetch
	Cut     = "cut"     // 1: a run waits for this URL; fetch -visits ended one meanwhile, or its host is slow
	Back    = "back"    // 1: fetch gave the URL back without a try, so it goes before others like it
	Held    = "held"    // time at which fetch first put it off to leave its host alone
	Since   = "since"   // time of the first "not now" of robots.txt

	// Set by resolve, and removed from a record that goes to again.
	Addr  = "addr"  // pinned addresses, ip:port, joined by commas
	Until = "until" // time at which the pin expires
	Delay = "delay" // crawl-delay of robots.txt, milliseconds

	// Set by refresh, and removed when the URL has an answer.
	ETag     = "etag"     // ETag of the last capture, for a conditional request
	Modified = "modified" // Last-Modified of the last capture, as the server wrote it: the same
	Date     = "date"     // WARC-Date of the last capture (RFC 3339), for the record of a 304
	Visit    = "visit"    // visits to the page before this one; set by refresh

	Label = "label" // what classify says of the page: a topic, or a language
	Sure  = "sure"  // how sure it is of the topic, from 0 to 1
	Score = "score" // how much the URL is wanted, from 0 to 1; set by any stage, read by frontier
	Worth = "worth" // what the page was worth, from 0 to 1; set by any stage, judged by extract, read by frontier
	Best  = "best"  // the most probable leaf of a tree of topics; set by classify pages -tree
	// The score of the page's links, from 0 to 1, where it is not what the page was worth; set by
	// classify pages -tree, read by extract -score.
	Links = "links"
	// What the page that holds the link was worth; set by extract -judged where it is less than 1.
	Parent = "parent"
	Copy   = "copy" // URL of an earlier page with the same body, whose links were taken; set by xdup -copies
	// URL of an earlier page that this page is nearly a copy of, or its own, if it is nearly what
	// it was at an earlier visit; set by xdup -near.
	Near = "near"

	Known = "known" // 1: the URL was let through before; set by filter -known for a frontier that counts links

	// The number of links to the URL that the record stands for; without it, 1. Set by classify links
	// -sum, read by frontier.
	Inlinks = "inlinks"

	Arrived = "arrived" // 1: the page has come from another crawler; set by gofer pull in the batch for filter
	// 1: another crawler let the URL through, and this one is to fetch it. The last attribute; set by
	// filter in the batch for the other crawler, removed by its filter.
	Moved = "moved"
	Peer  = "peer" // the crawler that delivered the page, in its WARC record; set by gofer pull
	// The crawler that owns the page which holds the link. It goes from classify pages through
	// extract to classify links, which removes it.
	Owner = "owner"
)

// Attributes of a host, in the batches of package visits; their URL is http://HOST/.
const (
	Asked     = "asked"      // requests started in the run
	Answered  = "answered"   // answers, of any status
	Failed    = "failed"     // requests without an answer
	Bytes     = "bytes"      // bytes of the answers, headers included
	Took      = "took"       // mean time of an answer, milliseconds
	Pause     = "pause"      // time for which the host is left alone between two requests, milliseconds
	NotBefore = "not_before" // time before which the host is not to be asked
	Address   = "address"    // IP address that was asked last, without port
	Unreached = "unreached"  // why the server could not be reached, or did not answer: a failure of fetch -policy
	Unready   = "unready"    // URLs of the host that resolve refused or gave back
)

// Values of the attribute rel.
const (
	Sitemap = "sitemap" // to be read as a sitemap
	Listed  = "listed"  // a sitemap lists it
)

// BadLine is the reason for lines that are not valid records.
const BadLine = "bad-line"
