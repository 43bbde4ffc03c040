// Package robots judges URLs by a host's robots.txt, according to RFC 9309.
//
// A robots.txt is parsed once for one crawler (Parse) and then judges any number of
// URLs of its host (Rules.Judge):
//
//   - Lines. Keys are read in any case, misspelt as many write them, and without their
//     colon; lines end as on any system. FuzzLines compares that with a port of Google's parser.
//   - Groups. All groups that name the crawler's token (Token, compared without
//     case) are one; where none does, the groups of "*" count; else all is allowed.
//     The token is the whole product name: "foo" is not "foobot".
//   - Longest match. The rule with the longest pattern decides, Allow wins a tie.
//     "*" stands for any bytes, "$" at the end for the end of the URL.
//   - Percent-encoding. Pattern and URL are brought to one form before they are
//     compared (see normalize), so that /%62%61%7A, /baz and, for the bytes beyond
//     ASCII, /ツ and /%E3%83%84 meet. %2F and %3A are "/" and ":" in a query and not in a
//     path. Behind a "*" without "?" nobody can tell which it is: Disallow forbids
//     both readings, Allow opens what is written as it is.
//   - UTF-8. A robots.txt in UTF-16 has no line that can be read, so it allows all. RFC 9309
//     section 2.2 and Google's parser pass over lines that are not directives.
//   - /robots.txt itself is always allowed.
//   - Size. MaxBody bytes are read; a line cut by that bound is dropped, because half a
//     path says something other than the path.
//   - Crawl-delay, which the RFC does not know and many sites write: the longest of
//     the group that counts, in seconds, never above MaxDelay.
//   - Sitemap lines, which belong to no group (RFC 9309 section 2.2.4): of the first
//     MaxSitemaps those that hold absolute http or https URLs, in canonical form.
//
// TestRFC9309 has every example of the RFC, TestGoogle those of Google's documentation
// and of its parser's own tests, with what is done otherwise here and why.
//
// MeaningOf tells what the status of the answer to a request for robots.txt means: a 4xx allows
// everything, a 5xx means "not now".
//
// All cost is bounded. At most MaxBody bytes of a robots.txt are kept. Matching a pattern takes
// time linear in the URL. All patterns with a "*" that are tried for one URL look through at most
// MaxWork bytes of it together; a robots.txt with more of them forbids the URL (Verdict.Undecided).
// An honest file is far from that. 50,000 patterns and a long URL that are made for it would take
// a tenth of a second for each URL of the host.
package robots

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"
)

const (
	// MaxBody is how many bytes of a robots.txt are read: 500 KiB, the least that
	// RFC 9309 section 2.5 allows as a limit.
	MaxBody = 500 << 10
	// MaxDelay is the longest Crawl-delay that is obeyed; a longer one counts as
	// this. A site that asks for an hour between requests would else hold its share
	// of a batch for weeks.
	MaxDelay = 5 * time.Minute
	// MaxSitemaps is how many Sitemap lines of one robots.txt are read. A large site
	// names one sitemap index; a hundred is for those that do not know of it.
	MaxSitemaps = 100
	// MaxWork is how many bytes of a URL are looked through for patterns with a "*", over all of
	// them: 5,000 such patterns and a URL of 400 bytes.
	MaxWork = 2 << 20
)

// Rules are what a robots.txt says to one crawler. The zero value allows all.
// Rules do not change after Parse and may be shared by goroutines.
type Rules struct {
	rules    []rule // the longest pattern first, of equal ones Allow
	stars    int    // how many of them have a "*"
	delay    time.Duration
	group    int // line of the first user-agent line of the group that counts, 0: none
	sitemaps []string
}

// A Verdict is what the rules say of one URL. Lines are counted from 1.
type Verdict struct {
	Allowed bool
	// Line is the number of the deciding line in the robots.txt; 0 where no line
	// decides, which allows.
	Line int
	// Group is the number of the user-agent line that calls the crawler by name (or
	// "*") above the deciding line; where no line decides, of the first such line; 0
	// where no group is for this crawler.
	Group int
	// Undecided: the rules took more than MaxWork, up to Line. The URL is not allowed, for nobody
	// can tell.
	Undecided bool
}

// Parse reads the robots.txt body for the crawler named token (see Token). It takes
// any bytes, and passes over what is no directive (RFC 9309 section 2.2).
func Parse(body []byte, token string) *Rules {
	c := collector{token: token}
	for line, d := range directives(string(Clip(body))) {
		c.take(line, d)
	}
	counts := &c.any
	if c.own.group > 0 {
		counts = &c.own
	}
	counts.sitemaps = c.sitemaps
	slices.SortFunc(counts.rules, precede)
	for _, r := range counts.rules {
		if r.star {
			counts.stars++
		}
	}
	return counts
}

// Clip returns as much of body as counts: at most MaxBody bytes, without a line that this cuts.
func Clip(body []byte) []byte {
	if len(body) <= MaxBody {
		return body
	}
	return WholeLines(body[:MaxBody])
}

// WholeLines returns body, which was broken off, without its last line, whose end is missing.
func WholeLines(body []byte) []byte {
	return body[:bytes.LastIndexAny(body, "\r\n")+1]
}

// CrawlDelay is the Crawl-delay of the group that counts, 0 where there is none.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }

// Sitemaps are the canonical URLs of the first MaxSitemaps Sitemap lines, each once.
func (r *Rules) Sitemaps() []string { return r.sitemaps }

// Judge says whether the crawler may ask for rawURL, a canonical absolute URL whose
// host is that of the robots.txt. Its fragment, if any, does not count.
func (r *Rules) Judge(rawURL string) Verdict {
	target := pathAndQuery(rawURL)
	if target == "/robots.txt" {
		return Verdict{Allowed: true}
	}
	path, work := normalize(target, forURL), 0
	written := path
	if strings.Contains(target, "?") {
		written = normalize(target, asWritten)
	}
	for i := range r.rules {
		ru, path := &r.rules[i], path
		if ru.strict {
			path = written
		}
		if ru.star && strings.HasPrefix(path, ru.head) {
			work += len(path)
		}
		if work > MaxWork {
			return Verdict{Line: ru.line, Group: ru.group, Undecided: true}
		}
		if ru.match(path) {
			return Verdict{Allowed: ru.allow, Line: ru.line, Group: ru.group}
		}
	}
	return Verdict{Allowed: true, Group: r.group}
}

// Cost is what judging rawURL may take at most, in bytes that are looked through.
func (r *Rules) Cost(rawURL string) int {
	const aRule = 4 // bytes take as long as a rule that does not match
	return aRule*len(r.rules) + min(r.stars*len(rawURL), MaxWork)
}

// pathAndQuery cuts scheme, authority and fragment off a URL.
func pathAndQuery(rawURL string) string {
	s, _, _ := strings.Cut(rawURL, "#")
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = strings.TrimLeftFunc(rest, func(r rune) bool { return r != '/' && r != '?' })
	}
	if !strings.HasPrefix(s, "/") {
		s = "/" + s
	}
	return s
}

type rule struct {
	pattern
	allow  bool
	strict bool // it is compared with the query as that is written
	line   int
	group  int // line of the user-agent line above that names the crawler
}

// precede orders rules so that the first that matches decides.
func precede(a, b rule) int {
	return cmp.Or(cmp.Compare(b.size, a.size), rank(a)-rank(b), cmp.Compare(a.line, b.line))
}

// rank puts Allow in front of Disallow.
func rank(r rule) int {
	if r.allow {
		return 0
	}
	return 1
}
