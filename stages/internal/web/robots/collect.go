package robots

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/web/canon"
)

// A collector gathers the group of one crawler and the group of "*" side by side; which of them
// counts is known at the end.
type collector struct {
	token string

	own, any     Rules
	ownAt, anyAt int  // the group that comes now is for the crawler, for "*": since this line; 0: it is not
	sawRule      bool // the next user-agent line begins a new group
	maps         int  // Sitemap lines so far
	sitemaps     []string
}

// take gathers what a line says.
func (c *collector) take(line int, d directive) {
	switch d.key {
	case userAgent:
		c.begin(line, d.value)
	case allow, disallow:
		c.rule(line, d.value, d.key == allow)
	case sitemap:
		c.sitemap(d.value)
	case crawlDelay:
		c.delay(d.value)
	}
}

// sitemap does not end the list of user-agent lines that a group begins with: a sitemap
// belongs to no group (RFC 9309 section 2.2.4).
func (c *collector) sitemap(value string) {
	if c.maps++; c.maps > MaxSitemaps {
		return
	}
	if url, err := canon.Parse(value); err == nil && !slices.Contains(c.sitemaps, url) {
		c.sitemaps = append(c.sitemaps, url)
	}
}

// begin takes a user-agent line.
func (c *collector) begin(line int, value string) {
	if c.sawRule {
		c.ownAt, c.anyAt, c.sawRule = 0, 0, false
	}
	if value == "*" || strings.HasPrefix(value, "* ") || strings.HasPrefix(value, "*\t") {
		c.anyAt = c.any.begin(line)
	} else if name := leadingToken(value); name != "" && strings.EqualFold(name, c.token) {
		c.ownAt = c.own.begin(line)
	}
}

// begin notes that a group of r begins at line, which it returns.
func (r *Rules) begin(line int) int {
	if r.group == 0 {
		r.group = line
	}
	return line
}

func (c *collector) rule(line int, value string, allow bool) {
	c.sawRule = true
	if value == "" {
		return // "Disallow:" forbids nothing
	}
	ru := rule{pattern: newPattern(normalize(value, forPattern)), allow: allow, line: line}
	ru.strict = allow && ru.star && !strings.Contains(value, "?")
	c.append(ru)
	if query := inQuery(value); query != "" && !allow {
		size := ru.size
		ru.pattern = newPattern(query)
		ru.size = size
		c.append(ru)
	}
}

// append puts the rule into the groups that it stands in.
func (c *collector) append(ru rule) {
	if ru.group = c.ownAt; c.ownAt > 0 {
		c.own.rules = append(c.own.rules, ru)
	}
	if ru.group = c.anyAt; c.anyAt > 0 {
		c.any.rules = append(c.any.rules, ru)
	}
}

// delay takes a Crawl-delay. Such a line does not end the list of user-agent lines that a group
// begins with, for the RFC does not know it.
func (c *collector) delay(value string) {
	seconds, err := strconv.ParseFloat(value, 64)
	if err != nil || math.IsNaN(seconds) || seconds <= 0 {
		return
	}
	delay := MaxDelay
	if seconds < MaxDelay.Seconds() {
		delay = time.Duration(seconds * float64(time.Second))
	}
	if c.ownAt > 0 {
		c.own.delay = max(c.own.delay, delay)
	}
	if c.anyAt > 0 {
		c.any.delay = max(c.any.delay, delay)
	}
}
