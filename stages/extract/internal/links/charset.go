package links

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"

	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/charset"
)

// toUTF8 returns the page in UTF-8, and an encoder that escapes queries in the page's charset.
func toUTF8(page []byte, contentType string) ([]byte, queryEncoder) {
	text, from, name := charset.UTF8(page, contentType)
	if name == "utf-8" || strings.HasPrefix(name, "utf-16") || name == "replacement" {
		return text, queryEncoder{}
	}
	return text, queryEncoder{from}
}

// queryEncoder escapes the letters of a query in the charset of the page. The zero queryEncoder
// leaves them in UTF-8.
type queryEncoder struct {
	charset encoding.Encoding
}

// escape returns ref with its query escaped. A letter that the charset does not contain becomes
// "&#N;", escaped, as browsers send it.
func (q queryEncoder) escape(ref []byte) []byte {
	if q.charset == nil || isASCII(ref) {
		return ref
	}
	end := bytes.IndexByte(ref, '#')
	if end < 0 {
		end = len(ref)
	}
	start := bytes.IndexByte(ref[:end], '?')
	if start < 0 {
		return ref
	}
	escaped := bytes.Clone(ref[:start])
	encoder := q.charset.NewEncoder()
	for _, r := range string(ref[start:end]) {
		if r < utf8.RuneSelf {
			escaped = append(escaped, byte(r))
		} else if s, err := encoder.String(string(r)); err == nil {
			escaped = appendEscaped(escaped, s)
		} else {
			escaped = fmt.Appendf(escaped, "%%26%%23%d%%3B", r)
		}
	}
	return escaped
}

func appendEscaped(dst []byte, s string) []byte {
	for i := range len(s) {
		dst = canon.AppendEscape(dst, s[i])
	}
	return dst
}

func isASCII(s []byte) bool {
	for _, c := range s {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
