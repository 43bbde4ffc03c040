// Package robots judges URLs by a host's robots.txt, as RFC 9309 has it.
//
// A robots.txt is parsed once for one crawler (Parse) and then judges any number of
// URLs of its host (Rules.Judge). The lines are read by grobotstxt, a port of
// Google's parser, with its tolerance for misspelt keys, missing colons and any
// line ending; on top of it stands what the RFC asks and that parser leaves to its
// caller:
//
//   - Groups. All groups that name the crawler's token (Token, compared without
//     case) are one; where none does, the groups of "*" count; else all is allowed.
//     The token is the whole product name: "foo" is not "foobot".
//   - Longest match. The rule with the longest pattern decides, Allow wins a tie.
//     "*" stands for any bytes, "$" at the end for the end of the URL.
//   - Percent-encoding. Pattern and URL are brought to one form before they are
//     compared (see normalize), so that /%62%61%7A, /baz and, for the bytes beyond
//     ASCII, /ツ and /%E3%83%84 meet.
//   - /robots.txt itself is always allowed.
//   - Size. MaxBody bytes are read; a line cut by that bound is dropped, for the
//     front half of a path says something else than the path.
//   - Crawl-delay, which the RFC does not know and many sites write: the longest of
//     the group that counts, in seconds, never above MaxDelay.
//
// What an answer to the request for robots.txt means, whatever its text, is told by
// Meaning: a 4xx allows everything, a 5xx means "not now".
//
// All cost is bounded: patterns are matched in time linear in the URL (package
// function match), and a robots.txt of MaxBody bytes is the most that is kept.
package robots

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/jimsmart/grobotstxt"
)

const (
	// MaxBody is how many bytes of a robots.txt are read: 500 KiB, the least that
	// RFC 9309 section 2.5 allows as a limit.
	MaxBody = 500 << 10
	// MaxDelay is the longest Crawl-delay that is obeyed; a longer one counts as
	// this. A site that asks for an hour between requests would else hold its share
	// of a batch for weeks.
	MaxDelay = 5 * time.Minute
)

// Rules are what a robots.txt says to one crawler. The zero value allows all.
// Rules do not change after Parse and may be shared by goroutines.
type Rules struct {
	rules []rule
	delay time.Duration
}

// A Verdict is what the rules say of one URL.
type Verdict struct {
	Allowed bool
	// Line is the number of the deciding line in the robots.txt, from 1; 0 where no
	// line decides, which allows.
	Line int
}

// Parse reads the robots.txt body for the crawler named token (see Token). It takes
// any bytes: what is no directive is passed over, as RFC 9309 section 2.2 wants.
func Parse(body []byte, token string) *Rules {
	c := collector{token: token}
	grobotstxt.Parse(escaped(Clip(body)), &c)
	if c.named {
		return &c.own
	}
	return &c.any
}

// Clip returns as much of body as counts: at most MaxBody bytes, without a line that is cut
// by that.
func Clip(body []byte) []byte {
	if len(body) <= MaxBody {
		return body
	}
	body = body[:MaxBody]
	return body[:bytes.LastIndexAny(body, "\r\n")+1]
}

// CrawlDelay is the Crawl-delay of the group that counts, 0 where there is none.
func (r *Rules) CrawlDelay() time.Duration { return r.delay }

// Judge says whether the crawler may ask for rawURL, a canonical absolute URL whose
// host is that of the robots.txt. Its fragment, if any, does not count.
func (r *Rules) Judge(rawURL string) Verdict {
	target := pathAndQuery(rawURL)
	if target == "/robots.txt" {
		return Verdict{Allowed: true}
	}
	path := normalize(target, forURL)
	best := rule{allow: true}
	found := false
	for _, ru := range r.rules {
		better := !found || len(ru.pattern) > len(best.pattern) ||
			len(ru.pattern) == len(best.pattern) && ru.allow && !best.allow
		if better && match(ru.pattern, path) {
			best, found = ru, true
		}
	}
	return Verdict{Allowed: best.allow, Line: best.line}
}

// pathAndQuery cuts scheme, authority and fragment off a URL.
func pathAndQuery(rawURL string) string {
	s := rawURL
	if _, rest, ok := strings.Cut(s, "://"); ok {
		s = rest
		i := strings.IndexAny(s, "/?#")
		if i < 0 {
			return "/"
		}
		s = s[i:]
	}
	s, _, _ = strings.Cut(s, "#")
	if s == "" || s[0] != '/' {
		s = "/" + s
	}
	return s
}

type rule struct {
	pattern string // normalized
	allow   bool
	line    int
}

// A collector is the grobotstxt.ParseHandler that gathers the group of one crawler
// and the group of "*" side by side; which of them counts is known at the end.
type collector struct {
	token string

	own, any Rules
	named    bool // the token occurs in some user-agent line
	inOwn    bool // the lines that come now belong to the crawler's group
	inAny    bool // the lines that come now belong to the group of "*"
	sawRule  bool // the next user-agent line begins a new group
}

func (c *collector) HandleRobotsStart() {}
func (c *collector) HandleRobotsEnd()   {}

// HandleSitemap passes: a sitemap belongs to no group (RFC 9309 section 2.2.4).
func (c *collector) HandleSitemap(int, string) {}

func (c *collector) HandleUserAgent(_ int, value string) {
	if c.sawRule {
		c.inOwn, c.inAny, c.sawRule = false, false, false
	}
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		c.inAny = true
		return
	}
	if name := leadingToken(value); name != "" && strings.EqualFold(name, c.token) {
		c.named, c.inOwn = true, true
	}
}

func (c *collector) HandleAllow(line int, value string)    { c.add(line, value, true) }
func (c *collector) HandleDisallow(line int, value string) { c.add(line, value, false) }

func (c *collector) add(line int, value string, allow bool) {
	c.sawRule = true
	if value == "" {
		return // "Disallow:" forbids nothing
	}
	ru := rule{pattern: normalize(value, forPattern), allow: allow, line: line}
	if c.inOwn {
		c.own.rules = append(c.own.rules, ru)
	}
	if c.inAny {
		c.any.rules = append(c.any.rules, ru)
	}
}

// HandleUnknownAction takes Crawl-delay. Such a line does not end the list of
// user-agent lines that a group begins with, for the RFC does not know it.
func (c *collector) HandleUnknownAction(_ int, action, value string) {
	if !strings.EqualFold(action, "crawl-delay") {
		return
	}
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 {
		return
	}
	delay := MaxDelay
	if seconds < MaxDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	if c.inOwn {
		c.own.delay = max(c.own.delay, delay)
	}
	if c.inAny {
		c.any.delay = max(c.any.delay, delay)
	}
}
