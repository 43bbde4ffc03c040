package main

import (
	"strconv"
	"strings"
)

// url is the canonical URL of a.
func (s shape) url(a address) string {
	return "http://" + hostName(a.host) + s.path(a)
}

// path is the canonical path of a, and its query.
func (s shape) path(a address) string {
	n := padded(a.n, 5)
	switch a.role {
	case rolePage:
		return s.pagePath(a.host, a.n)
	case rolePrint:
		p := s.pagePath(a.host, a.n)
		if strings.Contains(p, "?") {
			return p + "&print=1"
		}
		return p + "?print=1"
	case roleIndex:
		return "/index.html"
	case roleMirror:
		return "/mirror/1.html"
	case roleMoved:
		if a.step > 0 {
			return "/r/" + n + "/" + strconv.Itoa(a.step)
		}
		return "/r/" + n
	case roleLoop:
		return "/r/loop" + strconv.Itoa(a.n)
	case roleGone:
		return "/gone/" + n + ".html"
	case rolePrivate:
		return s.privatePath(a.host, n)
	case roleAsset:
		return assets()[a.n].path
	default:
		return "/robots.txt"
	}
}

// pagePath has a form for most tens of a page's number that some crawlers
// get wrong.
func (s shape) pagePath(host, i int) string {
	if i == 0 {
		return "/"
	}
	n, folder := padded(i, 5), strconv.Itoa(i/25)
	query, name := "q=caf%E9&n=", "caf%C3%A9-"
	if s.plain {
		query, name = "n=", "coffee-"
	}
	switch i % 10 {
	case 3: // a query that is no UTF-8
		return "/d" + folder + "/search?" + query + n
	case 5:
		return "/d" + folder + "/" + name + n + ".html"
	case 8: // a folder, close to what robots.txt forbids
		switch s.rulesOf(host) {
		case rulesAllow:
			return "/private/open/" + n + "/"
		case rulesWildcard:
			return "/d" + folder + "/" + n + ".cgi/"
		}
		return "/d" + folder + "/" + n + "/"
	default:
		return "/d" + folder + "/p" + n + ".html"
	}
}

// find is the address behind a request target of host. A path that no address
// has is refused, but for percent-encodings that mean the same.
func (s shape) find(host int, target string) (address, bool) {
	target = plainEscapes(target)
	for _, a := range s.candidates(host, target) {
		if s.exists(a) && s.path(a) == target {
			return a, true
		}
	}
	return address{}, false
}

// candidates are the addresses that target may be, judged by its number.
func (s shape) candidates(host int, target string) []address {
	n, ok := pageNumber(target)
	if !ok {
		as := []address{
			{host: host, role: rolePage}, {host: host, role: roleIndex}, {host: host, role: roleMirror},
			{host: host, role: roleLoop}, {host: host, role: roleLoop, n: 1}, {host: host, role: roleRobots},
		}
		for i := range assets() {
			as = append(as, address{host: host, role: roleAsset, n: i})
		}
		return as
	}
	if strings.HasPrefix(target, "/r/") {
		return []address{{host, roleMoved, n, 0}, {host, roleMoved, n, 1}, {host, roleMoved, n, 2}}
	}
	return []address{{host, rolePage, n, 0}, {host, rolePrint, n, 0}, {host, roleGone, n, 0}, {host, rolePrivate, n, 0}}
}

// pageNumber is the first run of five digits in target.
func pageNumber(target string) (int, bool) {
	run := 0
	for i := range len(target) {
		if c := target[i]; c < '0' || c > '9' {
			run = 0
			continue
		}
		if run++; run == 5 {
			n, err := strconv.Atoi(target[i-4 : i+1])
			return n, err == nil
		}
	}
	return 0, false
}

// plainEscapes gives percent-encodings their normal form (RFC 3986, 6.2.2):
// hex digits in capitals, unreserved characters as themselves.
func plainEscapes(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if v, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				if unreserved(byte(v)) {
					b.WriteByte(byte(v))
				} else {
					b.WriteString(strings.ToUpper(s[i : i+3]))
				}
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func unreserved(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}
