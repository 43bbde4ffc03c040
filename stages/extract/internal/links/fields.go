package links

import (
	"strings"

	"multitext/stages/internal/web/httphead"
	"multitext/stages/internal/web/media"
)

// header collects the links in the HTTP head.
func (s *scanner) header(h httphead.Fields) {
	for _, value := range h.Values("Link") {
		s.linkField(value)
	}
	if url, ok := refreshURL(h.Get("Refresh")); ok {
		s.add(Refresh, []byte(url), false)
	}
}

// linkField adds the targets of a Link field (RFC 8288, section 3): "<url>; rel=next, <url>; rel="a
// b"".
func (s *scanner) linkField(value string) {
	for {
		_, rest, ok := strings.Cut(value, "<")
		url, rest, ok2 := strings.Cut(rest, ">")
		if !ok || !ok2 {
			return
		}
		var params string
		params, value = media.CutUnquoted(rest, ',')
		rel := []byte(parameter(params, "rel"))
		if !hasToken(rel, "dns-prefetch") && !hasToken(rel, "preconnect") {
			s.add(Header, []byte(url), hasToken(rel, "nofollow"))
		}
	}
}

// parameter returns the value of the first parameter with this name in "; name=value;
// name="value"".
func parameter(params, name string) string {
	for params != "" {
		var one string
		one, params = media.CutUnquoted(params, ';')
		key, value, _ := strings.Cut(one, "=")
		if strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return ""
}

// forbids notes a directive that forbids following links.
func (s *scanner) forbids(directive string) {
	if directive == "nofollow" || directive == "none" {
		s.forbidden = true
	}
}
