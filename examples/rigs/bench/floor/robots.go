package main

import "strings"

// robots are the rules for every agent in a robots.txt.
type robots struct{ allowed, forbidden []string }

func parseRobots(text string) *robots {
	r, forAll := &robots{}, false
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "user-agent":
			forAll = value == "*"
		case "disallow":
			if forAll && value != "" {
				r.forbidden = append(r.forbidden, value)
			}
		case "allow":
			if forAll {
				r.allowed = append(r.allowed, value)
			}
		}
	}
	return r
}

// allow goes by the longest rule that matches (RFC 9309, 2.2.2).
func (r *robots) allow(path string) bool {
	return longest(r.allowed, path) >= longest(r.forbidden, path)
}

func longest(rules []string, path string) (n int) {
	for _, rule := range rules {
		if matches(rule, path) {
			n = max(n, len(rule))
		}
	}
	return n
}

func matches(rule, path string) bool {
	rule, whole := strings.CutSuffix(rule, "$")
	before, after, wild := strings.Cut(rule, "*")
	switch {
	case !strings.HasPrefix(path, before):
		return false
	case !wild:
		return !whole || path == before
	case whole:
		return strings.HasSuffix(path[len(before):], after)
	}
	return strings.Contains(path[len(before):], after)
}
