// Package robots judges URLs by a host's robots.txt, according to RFC 9309.
//
// Parse parses a robots.txt for one crawler. Rules.Judge then judges any number of URLs of the
// host:
//
//   - Lines. Keys are accepted in any case, with common misspellings, and without a colon. Lines
//     may end as on any system. FuzzLines compares this with a port of Google's parser.
//   - Groups. All groups with the crawler's token (Token, compared without case) are combined. If
//     there is none, the groups of "*" apply. If there are none of these either, everything is
//     allowed. The token is the whole product name: "foo" is not "foobot".
//   - Longest match. The rule with the longest pattern decides; Allow wins a tie. "*" matches any
//     bytes, a final "$" matches the end of the URL.
//   - Percent-encoding. Pattern and URL are normalized before they are compared (see normalize). So
//     /%62%61%7A equals /baz, and /ツ equals /%E3%83%84. %2F and %3A mean "/" and ":" in a query but
//     not in a path. After a "*" without "?" it is not known which part follows: then Disallow
//     forbids both readings, and Allow permits only the literal one.
//   - UTF-8. A robots.txt in UTF-16 has no valid line, so it allows everything. RFC 9309 section
//     2.2 and Google's parser skip lines that are not directives.
//   - /robots.txt itself is always allowed.
//   - Size. MaxBody bytes are read. A line that is cut by this limit is dropped, because half a
//     path has another meaning than the path.
//   - Crawl-delay is not in the RFC, but many sites use it. The longest one in the crawler's group
//     applies, in seconds, at most MaxDelay.
//   - Sitemap lines belong to no group (RFC 9309 section 2.2.4). Of the first MaxSitemaps lines,
//     those with absolute http or https URLs are returned, in canonical form.
//
// TestRFC9309 has every example of the RFC. TestGoogle has the examples of Google's documentation
// and of its parser's tests, and says where this package differs and why.
//
// MeaningOf interprets the status of the answer to a request for robots.txt: a 4xx allows
// everything, a 5xx means "not now".
//
// All costs are limited. At most MaxBody bytes of a robots.txt are kept. Matching a pattern takes
// time linear in the URL. For one URL, all patterns with a "*" together examine at most MaxWork
// bytes; if they need more, the URL is forbidden (Verdict.Undecided). Ordinary files stay far below
// this. Without the limit, a hostile file with 50,000 patterns and a long URL would take a tenth of
// a second for each URL of the host.
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

// Parse reads the robots.txt body for the crawler named token (see Token). It takes any bytes, and
// skips what is no directive (RFC 9309 section 2.2).
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

// CrawlDelay is the Crawl-delay of the group that counts, or 0 if there is none.
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
