package links

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"multitext/stages/internal/charset"
)

// toUTF8 gives a page in UTF-8, and the charset that its queries are escaped in.
func toUTF8(page []byte, contentType string) ([]byte, queryEncoder) {
	text, from, name := charset.UTF8(page, contentType)
	if name == "utf-8" || strings.HasPrefix(name, "utf-16") || name == "replacement" {
		return text, queryEncoder{}
	}
	return text, queryEncoder{from}
}

// queryEncoder escapes the letters of a query in the charset of their page; the zero queryEncoder
// leaves them to be UTF-8.
type queryEncoder struct {
	charset encoding.Encoding
}

// escape gives ref with its query escaped. What the charset does not hold becomes "&#N;", escaped,
// as browsers send it.
func (q queryEncoder) escape(ref string) string {
	if q.charset == nil || isASCII(ref) {
		return ref
	}
	end := strings.IndexByte(ref, '#')
	if end < 0 {
		end = len(ref)
	}
	start := strings.IndexByte(ref[:end], '?')
	if start < 0 {
		return ref
	}
	var b strings.Builder
	b.WriteString(ref[:start])
	encoder := q.charset.NewEncoder()
	for _, r := range ref[start:end] {
		if r < utf8.RuneSelf {
			b.WriteRune(r)
		} else if s, err := encoder.String(string(r)); err == nil {
			writeEscaped(&b, s)
		} else {
			fmt.Fprintf(&b, "%%26%%23%d%%3B", r)
		}
	}
	return b.String()
}

func writeEscaped(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		fmt.Fprintf(b, "%%%02X", s[i])
	}
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
