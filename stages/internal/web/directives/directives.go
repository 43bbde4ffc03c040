// Package directives reads what a page tells crawlers in X-Robots-Tag and META robots: words such as
// nofollow, noindex and noai, with commas between them.
//
// A directive is for all crawlers or for one. The name of that one stands in front of the first
// directive of a field, as in "X-Robots-Tag: examplebot: noindex", or is the NAME of the META.
package directives

import (
	"bytes"
	"slices"
	"strings"

	"multitext/stages/internal/web/httphead"
)

// InHead calls do with each directive of the head, in lower case, that is for all crawlers or for
// one of agents. Their names are in lower case.
func InHead(h httphead.Fields, agents []string, do func(directive string)) {
	for _, value := range h.Values("X-Robots-Tag") {
		name, rest, named := strings.Cut(value, ":")
		name = strings.ToLower(strings.TrimSpace(name))
		switch {
		case !named || strings.Contains(name, ",") || hasValue(name):
			rest = value
		case name != "robots" && !slices.Contains(agents, name):
			continue
		}
		each(rest, do)
	}
}

// hasValue reports whether a directive has a value after a colon.
func hasValue(directive string) bool {
	switch directive {
	case "unavailable_after", "max-snippet", "max-image-preview", "max-video-preview":
		return true
	}
	return false
}

// InMeta does the same for a META with this NAME and CONTENT.
func InMeta(name, content []byte, agents []string, do func(directive string)) {
	name = bytes.TrimSpace(name)
	mine := func(agent string) bool { return bytes.EqualFold(name, []byte(agent)) }
	if len(name) > 0 && (mine("robots") || slices.ContainsFunc(agents, mine)) {
		each(string(content), do)
	}
}

func each(directives string, do func(string)) {
	for d := range strings.SplitSeq(directives, ",") {
		do(strings.ToLower(strings.TrimSpace(d)))
	}
}
