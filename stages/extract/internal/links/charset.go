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
	e, name := sniff(page, contentType)
	if name == "utf-8" {
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

// sniff chooses the charset of a page as a browser does (HTML, section 13.2.3.2): byte order mark, HTTP,
// declaration in the page; failing these UTF-8 where the page is valid, else windows-1252.
func sniff(page []byte, contentType string) (encoding.Encoding, string) {
	for _, mark := range []struct{ bytes, name string }{{"\xef\xbb\xbf", "utf-8"}, {"\xfe\xff", "utf-16be"}, {"\xff\xfe", "utf-16le"}} {
		if bytes.HasPrefix(page, []byte(mark.bytes)) {
			return charset.Lookup(mark.name)
		}
	}
	if e, name := charset.Lookup(httpCharset(contentType)); e != nil {
		return e, name
	}
	if e, name := prescan(page); e != nil {
		return e, name
	}
	if utf8.Valid(uncut(page)) {
		return charset.Lookup("utf-8")
	}
	return charset.Lookup("windows-1252")
}

// uncut gives a page without the letter within which it was cut, if it was.
func uncut(page []byte) []byte {
	for i := len(page) - 1; i >= max(0, len(page)-utf8.UTFMax); i-- {
		if utf8.RuneStart(page[i]) && !utf8.FullRune(page[i:]) {
			return page[:i]
		}
	}
	return page
}

// httpCharset gives the parameter charset of a Content-Type, "" without one. What is broken is passed
// over (MIME Sniffing, section 4.4), where package mime would refuse the whole field.
func httpCharset(contentType string) string {
	_, params, _ := strings.Cut(contentType, ";")
	for params != "" {
		var one string
		one, params = cutUnquoted(params, ';')
		key, value, ok := strings.Cut(one, "=")
		if ok && strings.EqualFold(strings.Trim(key, blank), "charset") {
			return strings.Trim(strings.Trim(value, blank), `"`)
		}
	}
	return ""
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
