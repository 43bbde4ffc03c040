// Package charset finds the charset of a page as browsers do, and converts the page to UTF-8.
//
// The byte order mark decides, else the charset in the HTTP field Content-Type, else a declaration
// in the page: META or an XML declaration in its first 1,024 bytes, or META in a longer head.
// Without these the charset is UTF-8 if the page is valid UTF-8, else windows-1252 (HTML, section
// 13.2.3.2). The standard Encoding defines the charsets and their names. A page may contain any
// bytes: bytes that have no letter in the charset become U+FFFD.
package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"multitext/stages/internal/web/media"
)

// blank is the white space of HTML.
const blank = " \t\n\f\r"

// UTF8 returns a page in UTF-8, the charset that it came in and its name. A page that is UTF-8
// already, as one of ASCII is in nearly any charset, is not copied.
func UTF8(page []byte, contentType string) (text []byte, from encoding.Encoding, name string) {
	e, name := sniff(page, contentType)
	if name != "utf-8" {
		if text, err := decode(page, e, name); err == nil {
			return text, e, name
		}
		// No decoder of a charset of the web ends so; what is ASCII can be read.
		e, name = charset.Lookup("utf-8")
	}
	return bytes.TrimPrefix(page, []byte("\xef\xbb\xbf")), e, name
}

// decode returns a page in UTF-8. It takes memory once: a buffer that grew would be held twice.
func decode(page []byte, e encoding.Encoding, name string) ([]byte, error) {
	var size int // at most that of the text
	switch name {
	case "utf-16be", "utf-16le":
		size = len(page)/2*3 + 3
	case "iso-2022-jp", "replacement":
		size = len(page)*3 + 3
	default: // ASCII stays, and what has any other byte in it becomes three for each of these
		size = len(page)
		for _, c := range page {
			size += int(c>>7) * 2
		}
		if size == len(page) {
			return page, nil
		}
	}
	text := make([]byte, size)
	n, _, err := e.NewDecoder().Transform(text, page, true)
	return text[:n], err
}

// sniff chooses the charset of a page as a browser does (HTML, section 13.2.3.2): byte order mark,
// HTTP, declaration in the page; failing these UTF-8 where the page is valid, else windows-1252.
func sniff(page []byte, contentType string) (encoding.Encoding, string) {
	for _, mark := range []struct{ bytes, name string }{{"\xef\xbb\xbf", "utf-8"}, {"\xfe\xff", "utf-16be"},
		{"\xff\xfe", "utf-16le"}} {
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

// uncut returns a page without the letter within which it was cut, if it was.
func uncut(page []byte) []byte {
	for i := len(page) - 1; i >= max(0, len(page)-utf8.UTFMax); i-- {
		if utf8.RuneStart(page[i]) && !utf8.FullRune(page[i:]) {
			return page[:i]
		}
	}
	return page
}

// httpCharset returns the parameter charset of a Content-Type, or "" without one. What is broken is
// skipped (MIME Sniffing, section 4.4), where package mime would refuse the whole field.
func httpCharset(contentType string) string {
	_, params, _ := strings.Cut(contentType, ";")
	for params != "" {
		var one string
		one, params = media.CutUnquoted(params, ';')
		key, value, ok := strings.Cut(one, "=")
		if ok && strings.EqualFold(strings.Trim(key, blank), "charset") {
			return strings.Trim(strings.Trim(value, blank), `"`)
		}
	}
	return ""
}
