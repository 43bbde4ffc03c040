package main

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// shape is what the synthetic web follows from.
type shape struct {
	hosts, pages int
	seed         uint64
	plain        bool // without what many crawlers get wrong
	crawlDelay   time.Duration
	hostile      hostile
}

func (s shape) check() error {
	if s.hosts < 1 || s.hosts > 100_000 {
		return errors.New("-hosts: want 1 to 100000") // five digits in a name
	}
	if s.hostile.n < 0 || s.hostile.n > s.hosts {
		return errors.New("-hostile: want 0 to the number of -hosts")
	}
	if s.pages < 1 || s.pages > 99_999 {
		return errors.New("-pages: want 1 to 99999") // five digits in a path
	}
	return nil
}

// kind says what an address is, in the counts.
type kind string

const (
	kindPage      kind = "page"
	kindDuplicate kind = "duplicate"
	kindRedirect  kind = "redirect"
	kindNotFound  kind = "notfound"
	kindNonHTML   kind = "nonhtml"
	kindRobots    kind = "robots.txt"
	kindForbidden kind = "forbidden"
	kindStray     kind = "stray"
	kindDead      kind = "dead"
)

// role is what an address does in its host; each role has its form of path.
type role uint8

const (
	rolePage    role = iota // page n
	rolePrint               // page n again, with a query
	roleIndex               // the front page again
	roleMirror              // page 1 of the host before
	roleMoved               // redirect for page n; step counts the hops of a chain
	roleLoop                // redirects that lead to each other, n is 0 or 1
	roleGone                // 404
	rolePrivate             // forbidden by robots.txt
	roleAsset               // no HTML; n counts assets()
	roleRobots
)

// address is one URL of the synthetic web.
type address struct {
	host int
	role role
	n    int
	step int
}

func (a address) kind() kind {
	switch a.role {
	case rolePage:
		return kindPage
	case rolePrint, roleIndex, roleMirror:
		return kindDuplicate
	case roleMoved, roleLoop:
		return kindRedirect
	case roleGone:
		return kindNotFound
	case rolePrivate:
		return kindForbidden
	case roleAsset:
		return kindNonHTML
	default:
		return kindRobots
	}
}

func hostName(host int) string { return "h" + padded(host, 3) + ".test" }

// padded writes n with at least so many digits, at most five.
func padded(n, digits int) string {
	if s := strconv.Itoa(100_000 + n); n < 100_000 && s[1:6-digits] == "00000"[:5-digits] {
		return s[6-digits:]
	}
	return strconv.Itoa(n)
}

// plainHost is the inverse of hostName for the hosts of s.
func (s shape) plainHost(name string) (int, bool) {
	digits, ok := strings.CutSuffix(strings.TrimPrefix(name, "h"), ".test")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 0 && n < s.hosts && hostName(n) == name
}

// exists tells whether s has the address. Which pages have a copy, a
// redirect and so on follows from their numbers.
func (s shape) exists(a address) bool {
	switch a.role {
	case roleIndex, roleLoop, roleAsset, roleRobots:
		return true
	case roleMirror:
		return s.pages > 1
	}
	if a.n >= s.pages {
		return false
	}
	switch a.role {
	case rolePrint:
		return a.n%25 == 7
	case roleMoved:
		return a.step < moves(a.n)
	case roleGone:
		return a.n%25 == 3
	case rolePrivate:
		return a.n%25 == 9 && s.rulesOf(a.host) != rulesNone
	default:
		return true
	}
}

// moves is the number of redirects that lead to page n, one after the other.
func moves(n int) int {
	switch {
	case n%50 == 19:
		return 3
	case n%50 == 11, n%50 == 15, n%50 == 39:
		return 1
	}
	return 0
}

// hidden tells whether page n is linked by its redirect only.
func hidden(n int) bool { return n%50 == 11 }

// door is the address by which others link page n of host.
func door(host, n int) address {
	if hidden(n) {
		return address{host: host, role: roleMoved, n: n}
	}
	return address{host: host, role: rolePage, n: n}
}
