package links

import (
	"bytes"
	"strings"
)

// blank is the white space of HTML.
const blank = " \t\n\f\r"

// srcset adds the URLs of a SRCSET (HTML, section 4.8.4.2.1): "a.png, b.png 2x, c.png 100w". A
// comma inside a URL belongs to the URL; a comma at its end separates it from the next.
func (s *scanner) srcset(value []byte) {
	for rest := value; ; {
		rest = bytes.TrimLeft(rest, blank+",")
		if len(rest) == 0 {
			return
		}
		end := bytes.IndexAny(rest, blank)
		if end < 0 {
			end = len(rest)
		}
		url := rest[:end]
		rest = rest[end:]
		if bare := bytes.TrimRight(url, ","); len(bare) < len(url) {
			url = bare
		} else {
			rest = skipDescriptors(rest)
		}
		s.add(Img, url, false)
	}
}

// skipDescriptors returns s from the next comma on that is not in parentheses, or nil.
func skipDescriptors(s []byte) []byte {
	depth := 0
	for i, c := range s {
		switch {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ',' && depth == 0:
			return s[i:]
		}
	}
	return nil
}

// refreshURL returns the URL of a refresh (HTML, section 4.2.5.3), as in "5; url=/next". The URL
// may have quotes, and "url=" may be missing.
func refreshURL(content string) (string, bool) {
	s := strings.TrimLeft(content, blank)
	digits := strings.TrimLeft(s, "0123456789.")
	if digits == s {
		return "", false
	}
	s = strings.TrimLeft(digits, blank)
	if s == digits && !strings.HasPrefix(s, ";") && !strings.HasPrefix(s, ",") {
		return "", false
	}
	if strings.HasPrefix(s, ";") || strings.HasPrefix(s, ",") {
		s = strings.TrimLeft(s[1:], blank)
	}
	if len(s) >= 3 && strings.EqualFold(s[:3], "url") {
		if after, ok := strings.CutPrefix(strings.TrimLeft(s[3:], blank), "="); ok {
			s = strings.TrimLeft(after, blank)
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return s, s != ""
}
