// Package charset finds the charset of a page as browsers do, and gives the page in UTF-8.
//
// The byte order mark decides, else the charset of the HTTP field Content-Type, else what the page
// says of itself: by META or an XML declaration in its first 1,024 bytes, or by META in a head that
// is longer; failing all these it is UTF-8 where the page is valid, else windows-1252 (HTML,
// section 13.2.3.2). The charsets and their names are those of the standard Encoding. A page may
// hold any bytes: what its charset has no letter for becomes U+FFFD.
package charset

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"

	"multitext/stages/internal/web/media"
)

// blank is the white space of HTML.
const blank = " \t\n\f\r"

// UTF8 gives a page in UTF-8, the charset that it came in and its name. A page that is UTF-8
// already, as one of ASCII is in nearly any charset, is not copied.
func UTF8(page []byte, contentType string) (text []byte, from encoding.Encoding, name string) {
	e, name := sniff(page, contentType)
	if name != "utf-8" {
		if letters, ok := letters(name); ok {
			return decode(page, letters), e, name
		}
		if text, err := e.NewDecoder().Bytes(page); err == nil {
			return text, e, name
		}
		// No decoder of a charset of the web ends so; what is ASCII can be read.
		e, name = charset.Lookup("utf-8")
	}
	return bytes.TrimPrefix(page, []byte("\xef\xbb\xbf")), e, name
}

// letters gives the charset of that name if it has a letter for each byte. ASCII is the same in all
// of these.
func letters(name string) (*charmap.Charmap, bool) {
	e, err := htmlindex.Get(name)
	if err != nil {
		return nil, false
	}
	letters, ok := e.(*charmap.Charmap)
	return letters, ok
}

// decode gives a page in UTF-8. One of ASCII it gives as it is.
func decode(page []byte, letters *charmap.Charmap) []byte {
	n := lenASCII(page)
	if n == len(page) {
		return page
	}
	text := make([]byte, 0, decodedLen(page, letters))
	for ; n < len(page); n = lenASCII(page) {
		text = append(text, page[:n]...)
		text = utf8.AppendRune(text, letters.DecodeByte(page[n]))
		page = page[n+1:]
	}
	return append(text, page...)
}

// decodedLen gives the length of a page in UTF-8: of some it is three times their own.
func decodedLen(page []byte, letters *charmap.Charmap) int {
	size := len(page)
	for n := lenASCII(page); n < len(page); n = lenASCII(page) {
		size += utf8.RuneLen(letters.DecodeByte(page[n])) - 1
		page = page[n+1:]
	}
	return size
}

// lenASCII gives the length of the ASCII that b begins with; eight bytes at once are looked at.
func lenASCII(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if binary.LittleEndian.Uint64(b[n:])&0x8080808080808080 != 0 {
			break
		}
	}
	for n < len(b) && b[n] < utf8.RuneSelf {
		n++
	}
	return n
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

// uncut gives a page without the letter within which it was cut, if it was.
func uncut(page []byte) []byte {
	for i := len(page) - 1; i >= max(0, len(page)-utf8.UTFMax); i-- {
		if utf8.RuneStart(page[i]) && !utf8.FullRune(page[i:]) {
			return page[:i]
		}
	}
	return page
}

// httpCharset gives the parameter charset of a Content-Type, "" without one. What is broken is
// passed over (MIME Sniffing, section 4.4), where package mime would refuse the whole field.
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
