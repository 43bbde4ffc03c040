package links

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// toUTF8 gives a page in UTF-8, and the charset that its queries are escaped in. A page that is
// UTF-8 already is not copied.
func toUTF8(page []byte, contentType string) ([]byte, queryEncoder) {
	e, name, certain := charset.DetermineEncoding(page, contentType)
	if name == "utf-8" || !certain && name == "windows-1252" && utf8.Valid(page) && undeclared(page) {
		return bytes.TrimPrefix(page, []byte("\xef\xbb\xbf")), queryEncoder{}
	}
	text, err := e.NewDecoder().Bytes(page)
	if err != nil {
		return page, queryEncoder{} // no decoder of a charset of the web ends so; what is ASCII can be read
	}
	if strings.HasPrefix(name, "utf-16") || name == "replacement" {
		return text, queryEncoder{}
	}
	return text, queryEncoder{e}
}

// undeclared tells whether windows-1252 was the last resort for page, and not asked for by a META:
// letters of UTF-8 behind the first kilobyte would have turned the choice.
func undeclared(page []byte) bool {
	head := bytes.ToValidUTF8(page[:min(len(page), 1000)], nil)
	_, name, _ := charset.DetermineEncoding(append(bytes.Clone(head), "é "...), "")
	return name == "utf-8"
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
