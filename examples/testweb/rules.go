package main

import (
	"fmt"
	"strings"
)

// rules is the kind of robots.txt that a host has.
type rules int

const (
	rulesPrefix   rules = iota // one Disallow
	rulesAllow                 // a longer Allow inside a Disallow, and a group for another crawler
	rulesWildcard              // * and $
	rulesNone                  // robots.txt answers 404
)

func (s shape) rulesOf(host int) rules {
	r := rules(host % 4)
	if s.plain && r == rulesAllow {
		return rulesPrefix
	}
	return r
}

// privatePath is where a host keeps its forbidden page n.
func (s shape) privatePath(host int, n string) string {
	if s.rulesOf(host) == rulesWildcard {
		return "/cgi/" + n + ".cgi"
	}
	return "/private/" + n + ".html"
}

// robotsTxt is the robots.txt of host, or "" where it has none.
func (s shape) robotsTxt(host int) string {
	var b strings.Builder
	switch s.rulesOf(host) {
	case rulesPrefix:
		b.WriteString("User-agent: *\nDisallow: /private/\n")
	case rulesAllow:
		b.WriteString("# what another crawler may not\nUser-agent: othercrawler\nDisallow: /\n\n" +
			"User-agent: *\nDisallow: /private/\nAllow: /private/open/\n")
	case rulesWildcard:
		b.WriteString("User-Agent: *\r\nDisallow: /*.cgi$\r\n")
	}
	if s.crawlDelay > 0 && host%5 == 4 {
		if b.Len() == 0 {
			b.WriteString("User-agent: *\n")
		}
		fmt.Fprintf(&b, "Crawl-delay: %g\n", s.crawlDelay.Seconds())
	}
	return b.String()
}
