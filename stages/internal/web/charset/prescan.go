package charset

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"

	"multitext/classify/html"
)

// prescanned is how much of a page is searched for the charset that it declares, in bytes.
const prescanned = 1024

// prescan returns the charset that a page declares, or nil without one: "prescan a byte stream to
// determine its encoding" of HTML, section 13.2.3.2, for the first bytes. It sees declarations
// where a tokenizer sees none, in scripts say; so do browsers. They decode anew where the head goes
// on behind these bytes and has a META then.
func prescan(page []byte) (encoding.Encoding, string) {
	switch {
	case bytes.HasPrefix(page, []byte("<\x00?\x00x\x00")):
		return charset.Lookup("utf-16le")
	case bytes.HasPrefix(page, []byte("\x00<\x00?\x00x")):
		return charset.Lookup("utf-16be")
	}
	start := page[:min(len(page), prescanned)]
	var l html.Lexer
	l.Open(start, html.AllMarkup)
	for l.Next() != html.PageEnd {
		if e, name := declared(&l); e != nil {
			return e, name
		}
	}
	if e, name := xmlDeclaration(start); e != nil || len(start) == len(page) {
		return e, name
	}
	return inHead(page)
}

// inHead returns the charset of the first META in the head that names one, or nil without one.
func inHead(page []byte) (encoding.Encoding, string) {
	var l html.Lexer
	l.Open(page, html.Texts)
	for {
		switch token := l.Next(); {
		case token == html.PageEnd:
			return nil, ""
		case token == html.TextToken:
		case !isOfHead(l.Name(), token == html.StartTag):
			return nil, ""
		case token == html.StartTag:
			if e, name := declared(&l); e != nil {
				return e, name
			}
		}
	}
}

// isOfHead reports whether the head goes on behind a tag of that name: WebKit's rule.
func isOfHead(name []byte, start bool) bool {
	switch string(name) {
	case "script", "style", "title", "noscript", "object":
		return true
	case "html", "head", "base", "link", "meta":
		return start
	}
	return false
}

// declared returns the charset that the start tag which was read declares, or nil where it is no
// META that names one.
func declared(l *html.Lexer) (encoding.Encoding, string) {
	if string(l.Name()) != "meta" {
		return nil, ""
	}
	if label := l.Attr(html.Charset); label != nil {
		return asDeclared(charset.Lookup(lowerCase(label)))
	}
	if !bytes.EqualFold(l.Attr(html.HTTPEquiv), []byte("content-type")) {
		return nil, ""
	}
	return asDeclared(charset.Lookup(metaCharset(lowerCase(l.Attr(html.Content)))))
}

// asDeclared returns the encoding meant by a declaration that can be read byte by byte: it is not
// in UTF-16.
func asDeclared(e encoding.Encoding, name string) (encoding.Encoding, string) {
	switch name {
	case "utf-16le", "utf-16be":
		return charset.Lookup("utf-8")
	case "x-user-defined":
		return charset.Lookup("windows-1252")
	}
	return e, name
}

func lowerCase(b []byte) string { return strings.ToLower(string(b)) }

// metaCharset returns the label in the CONTENT of a META, "text/html; charset=label" (HTML, section
// 2.5.3), or "" without one.
func metaCharset(content string) string {
	for {
		_, rest, found := strings.Cut(content, "charset")
		if !found {
			return ""
		}
		if label, ok := strings.CutPrefix(strings.TrimLeft(rest, blank), "="); ok {
			return charsetLabel(strings.TrimLeft(label, blank))
		}
		content = rest
	}
}

// charsetLabel returns the label that s begins with: in quotes, or up to a blank or semicolon.
func charsetLabel(s string) string {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		inside, _, closed := strings.Cut(s[1:], s[:1])
		if !closed {
			return ""
		}
		return inside
	}
	if end := strings.IndexAny(s, blank+";"); end >= 0 {
		s = s[:end]
	}
	return s
}

// xmlDeclaration returns the charset of an XML declaration that a page begins with, or nil without
// one.
func xmlDeclaration(page []byte) (encoding.Encoding, string) {
	declaration, _, closed := bytes.Cut(page, []byte(">"))
	declaration, ok := bytes.CutPrefix(declaration, []byte("<?xml"))
	_, value, found := strings.Cut(string(declaration), "encoding")
	value = strings.TrimLeft(value, blank)
	if !closed || !ok || !found || !strings.HasPrefix(value, "=") {
		return nil, ""
	}
	value = strings.TrimLeft(value[1:], blank)
	if value == "" || value[0] != '"' && value[0] != '\'' {
		return nil, ""
	}
	return asDeclared(charset.Lookup(charsetLabel(value)))
}
