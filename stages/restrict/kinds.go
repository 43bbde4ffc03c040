package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// kind is a kind of condition.
type kind struct {
	name    string
	usage   string
	meaning string // what the URL must have to match, for -h
	compile func(args []string) (func(*subject) bool, error)
	value   func(*subject) string // returns the part of the URL that is examined
}

// argError is an error of one argument.
type argError struct {
	index int
	err   error
}

func (e *argError) Error() string { return e.err.Error() }

// kinds returns all kinds of conditions.
func kinds() []kind {
	return []kind{
		{"all", "all, without not or arguments", "every URL",
			compileAll, func(s *subject) string { return string(s.target) }},
		{"scheme", "scheme http or scheme https", "its scheme",
			compileScheme, func(s *subject) string { return string(s.scheme) }},
		{"host", "host NAME …", "this host; with a port (example.org:8080) this port only",
			compileHost, func(s *subject) string { return string(s.host) }},
		{"domain", "domain NAME …", "this name and every host below it",
			compileDomain, func(s *subject) string { return string(s.hostname()) }},
		{"surt", "surt PREFIX …", "its SURT has this prefix: http://(org,example,www,)/a; without scheme: both schemes",
			compileSURT, func(s *subject) string { return string(s.SURT()) }},
		{"path", "path PREFIX …", "path and query have this prefix: /cgi-bin/",
			compilePath, func(s *subject) string { return string(s.target) }},
		{"regex", "regex RE …", "a regular expression (Go's, RE2) matches somewhere in the URL",
			compileRegex, func(s *subject) string { return string(s.url) }},
		{"ext", "ext EXT …", "extension of the path's last segment, without dot, any case",
			compileExt, func(s *subject) string { return string(s.ext()) }},
		{"type", "type NAME …", "extensions by type: " + typeNames(),
			compileType, func(s *subject) string { return string(s.ext()) }},
		{"rel", "rel sitemap or rel listed", "the link's attribute rel=: it is a sitemap, or was listed in one",
			compileRel, (*subject).rel},
		number("depth", "links from a seed", (*subject).depth),
		number("length", "bytes of the URL", (*subject).length),
		number("segments", "segments of the path: /a/b is 2", (*subject).segments),
		number("repeats", "times that the most frequent segment occurs in the path: /a/b/a is 2", (*subject).repeats),
		number("params", "parameters of the query", (*subject).params),
		number("ahead", "years from now to the latest date in path and query, 0 if no date is in the future",
			(*subject).ahead),
		number("ago", "years since the earliest date", (*subject).ago),
	}
}

// kindsHelp returns the list of kinds for -h.
func kindsHelp() string {
	var b strings.Builder
	for _, k := range kinds() {
		usage, _, _ := strings.Cut(k.usage, ",")
		fmt.Fprintf(&b, "%-26s %s\n", usage, k.meaning)
	}
	return b.String()
}

func kindNames() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

func compileAll([]string) (func(*subject) bool, error) {
	return func(*subject) bool { return true }, nil
}

func compileScheme(args []string) (func(*subject) bool, error) {
	for i, a := range args {
		if a != "http" && a != "https" {
			return nil, &argError{i, fmt.Errorf("the scheme %q is not crawled: write http or https", a)}
		}
	}
	return func(s *subject) bool { return slices.Contains(args, string(s.scheme)) }, nil
}

// hosts returns the hosts in args, in canonical form.
func hosts(args []string) (map[string]bool, error) {
	set := map[string]bool{}
	for i, a := range args {
		url, err := canon.Parse("http://" + a + "/")
		if err != nil || canon.Path(url) != "/" || strings.ContainsAny(a, "/?#@") {
			return nil, &argError{i, fmt.Errorf("%q is not a host name", a)}
		}
		if hasPort(a) && canon.Host(url) == canon.Hostname(url) {
			return nil, &argError{i, fmt.Errorf("%q: canonical URLs omit port 80; write the name, and scheme http", a)}
		}
		set[canon.Host(url)] = true
	}
	return set, nil
}

func hasPort(host string) bool {
	return strings.Contains(host[strings.LastIndexByte(host, ']')+1:], ":")
}

func compileHost(args []string) (func(*subject) bool, error) {
	set, err := hosts(args)
	return func(s *subject) bool { return set[string(s.hostname())] || set[string(s.host)] }, err
}

func compileDomain(args []string) (func(*subject) bool, error) {
	for i, a := range args {
		if hasPort(a) {
			return nil, &argError{i, fmt.Errorf("%q has a port, but a domain has none; use host", a)}
		}
	}
	set, err := hosts(args)
	return func(s *subject) bool {
		for name := s.hostname(); ; {
			if set[string(name)] {
				return true
			}
			dot := bytes.IndexByte(name, '.')
			if dot < 0 {
				return false
			}
			name = name[dot+1:]
		}
	}, err
}

func compileSURT(args []string) (func(*subject) bool, error) {
	for i, a := range args {
		at := strings.IndexByte(a, '(')
		if scheme := a[:max(at, 0)]; at < 0 || scheme != "" && scheme != "http://" && scheme != "https://" {
			err := fmt.Errorf("%q does not begin like a SURT: http://(org,example, or (org,example,", a)
			return nil, &argError{i, err}
		}
	}
	return func(s *subject) bool {
		full := s.SURT()
		bare := full[bytes.IndexByte(full, '('):]
		return hasPrefix(full, args) || hasPrefix(bare, args)
	}, nil
}

func compilePath(args []string) (func(*subject) bool, error) {
	for i, a := range args {
		if a[0] != '/' {
			return nil, &argError{i, fmt.Errorf("the path %q does not begin with /", a)}
		}
	}
	return func(s *subject) bool { return hasPrefix(s.target, args) }, nil
}

// hasPrefix reports whether s begins with one of prefixes.
func hasPrefix(s []byte, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return len(s) >= len(p) && string(s[:len(p)]) == p })
}

func compileRegex(args []string) (func(*subject) bool, error) {
	var all []*regexp.Regexp
	for i, a := range args {
		re, err := regexp.Compile(a)
		if err != nil {
			return nil, &argError{i, err}
		}
		all = append(all, re)
	}
	return func(s *subject) bool {
		return slices.ContainsFunc(all, func(re *regexp.Regexp) bool { return re.Match(s.url) })
	}, nil
}

func compileRel(args []string) (func(*subject) bool, error) {
	for i, a := range args {
		if a != urlbatch.Sitemap && a != urlbatch.Listed {
			return nil, &argError{i, fmt.Errorf("unknown rel %q: write sitemap or listed", a)}
		}
	}
	return func(s *subject) bool { return slices.Contains(args, s.rel()) }, nil
}

// number returns a kind that compares a figure of the URL with a number.
func number(name, meaning string, figure func(*subject) int) kind {
	return kind{
		name:    name,
		usage:   name + " OP N, where OP is one of < <= = >= >",
		meaning: meaning,
		compile: func(args []string) (func(*subject) bool, error) {
			return compileNumber(args, figure)
		},
		value: func(s *subject) string { return strconv.Itoa(figure(s)) },
	}
}

func compileNumber(args []string, figure func(*subject) int) (func(*subject) bool, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("write an operator and a number, with a blank between: > 3")
	}
	n, err := strconv.Atoi(args[1])
	if err != nil || n < 0 {
		return nil, &argError{1, fmt.Errorf("%q is not a number", args[1])}
	}
	switch args[0] {
	case "<":
		return func(s *subject) bool { return figure(s) < n }, nil
	case "<=":
		return func(s *subject) bool { return figure(s) <= n }, nil
	case "=":
		return func(s *subject) bool { return figure(s) == n }, nil
	case ">=":
		return func(s *subject) bool { return figure(s) >= n }, nil
	case ">":
		return func(s *subject) bool { return figure(s) > n }, nil
	}
	return nil, fmt.Errorf("%q is not an operator: write < <= = >= or >", args[0])
}
