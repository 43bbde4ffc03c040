package charset

import (
	"bytes"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
)

// prescanned is how much of a page is searched for the charset that it declares, in bytes.
const prescanned = 1024

// prescan gives the charset that a page declares, nil without one: "prescan a byte stream to determine
// its encoding" of HTML, section 13.2.3.2, for the first bytes. It is no tokenizer, and sees declarations
// where a tokenizer sees none, in scripts say; so do browsers. They decode anew where the head goes on
// behind these bytes and has a META then.
func prescan(page []byte) (encoding.Encoding, string) {
	switch {
	case bytes.HasPrefix(page, []byte("<\x00?\x00x\x00")):
		return charset.Lookup("utf-16le")
	case bytes.HasPrefix(page, []byte("\x00<\x00?\x00x")):
		return charset.Lookup("utf-16be")
	}
	start := page[:min(len(page), prescanned)]
	if e, name := (&prescanner{rest: start}).declared(); e != nil {
		return e, name
	}
	if e, name := xmlDeclaration(start); e != nil || len(start) == len(page) {
		return e, name
	}
	return (&prescanner{rest: page, head: true}).declared()
}

// A prescanner is what is left to search.
type prescanner struct {
	rest []byte
	head bool // search the head and no further, and no scripts: there is no end else
}

// declared gives the charset of the first META that names one, nil without one.
func (p *prescanner) declared() (encoding.Encoding, string) {
	for p.findTag() {
		switch {
		case p.at("<!--"):
			p.skip(len("<!")) // the dashes may be those of its end: "<!-->"
			p.skipTo("-->")
		case p.atTag("<meta"):
			p.skip(len("<meta"))
			if e, name := p.meta(); e != nil {
				return e, name
			}
		case p.atElement():
			if !p.element() {
				return nil, ""
			}
		case p.at("<!"), p.at("</"), p.at("<?"):
			p.skipTo(">")
		default:
			p.skip(1)
		}
	}
	return nil, ""
}

// element passes over a tag, and over the text of a script; more is false where the head ends.
func (p *prescanner) element() (more bool) {
	tag := p.rest
	p.skipName()
	tag = tag[1 : len(tag)-len(p.rest)]
	for _, _, ok := p.attribute(); ok; _, _, ok = p.attribute() {
	}
	if !p.head {
		return true
	}
	switch name := lowerCase(bytes.TrimRight(tag, "/")); name {
	case "script", "style", "title":
		for p.findTag() && !p.at("</"+name) {
			p.skip(1)
		}
		return true
	case "html", "head", "base", "link", "noscript", "object", "/script", "/style", "/title", "/noscript", "/object":
		return true // as in WebKit, whose rule this is
	}
	return false
}

func (p *prescanner) skip(n int) { p.rest = p.rest[min(n, len(p.rest)):] }

// skipTo goes behind the next mark, or to the end.
func (p *prescanner) skipTo(mark string) {
	_, p.rest, _ = bytes.Cut(p.rest, []byte(mark))
}

// findTag goes to the next "<"; it is false at the end.
func (p *prescanner) findTag() bool {
	i := bytes.IndexByte(p.rest, '<')
	p.skip(max(i, 0))
	return i >= 0
}

// at tells whether text, in lower case, comes next.
func (p *prescanner) at(text string) bool {
	return len(p.rest) >= len(text) && is(p.rest[:len(text)], text)
}

// is tells whether b is word, in any case.
func is(b []byte, word string) bool { return len(b) == len(word) && bytes.EqualFold(b, []byte(word)) }

// atTag is at for the name of an element, which something must end.
func (p *prescanner) atTag(text string) bool {
	return p.at(text) && len(p.rest) > len(text) && (isBlank(p.rest[len(text)]) || p.rest[len(text)] == '/')
}

// atElement tells whether the tag of any element comes next, one that begins it or ends it.
func (p *prescanner) atElement() bool {
	b, ok := bytes.CutPrefix(p.rest, []byte("<"))
	b = bytes.TrimPrefix(b, []byte("/"))
	return ok && len(b) > 0 && 'a' <= b[0]|0x20 && b[0]|0x20 <= 'z'
}

func (p *prescanner) skipName() {
	for len(p.rest) > 0 && !isBlank(p.rest[0]) && p.rest[0] != '>' {
		p.skip(1)
	}
}

func isBlank(c byte) bool { return strings.IndexByte(blank, c) >= 0 }

// meta reads the attributes of a META and gives the charset that they declare. Of two equal ones the first holds.
func (p *prescanner) meta() (e encoding.Encoding, name string) {
	var hasPragma, hasContent, hasCharset bool
	pragma, needsPragma, declares := false, false, false
	for key, value, ok := p.attribute(); ok; key, value, ok = p.attribute() {
		switch {
		case is(key, "http-equiv") && !hasPragma:
			hasPragma = true
			pragma = is(value, "content-type")
		case is(key, "content") && !hasContent:
			hasContent = true
			if label := metaCharset(lowerCase(value)); label != "" && !declares {
				if e, name = charset.Lookup(label); e != nil {
					declares, needsPragma = true, true
				}
			}
		case is(key, "charset") && !hasCharset:
			hasCharset = true
			e, name = charset.Lookup(lowerCase(value))
			declares, needsPragma = true, false
		}
	}
	if len(p.rest) == 0 || needsPragma && !pragma {
		return nil, "" // cut off, or the charset of something else
	}
	return asDeclared(e, name)
}

// asDeclared gives the encoding meant by a declaration that can be read byte by byte: it is not in UTF-16.
func asDeclared(e encoding.Encoding, name string) (encoding.Encoding, string) {
	switch name {
	case "utf-16le", "utf-16be":
		return charset.Lookup("utf-8")
	case "x-user-defined":
		return charset.Lookup("windows-1252")
	}
	return e, name
}

// attribute reads the next attribute of a tag; ok is false at its end.
func (p *prescanner) attribute() (key, value []byte, ok bool) {
	for len(p.rest) > 0 && (isBlank(p.rest[0]) || p.rest[0] == '/') {
		p.skip(1)
	}
	if len(p.rest) == 0 || p.rest[0] == '>' {
		return nil, nil, false
	}
	n := 1 // "=" may begin a name
	for n < len(p.rest) && !isBlank(p.rest[n]) && strings.IndexByte("=/>", p.rest[n]) < 0 {
		n++
	}
	key = p.rest[:n]
	p.skip(n)
	after := trimBlank(p.rest)
	if !bytes.HasPrefix(after, []byte("=")) {
		return key, nil, len(p.rest) > 0
	}
	p.rest = trimBlank(after[1:])
	return key, p.value(), len(p.rest) > 0
}

// trimBlank drops the blanks that b begins with.
func trimBlank(b []byte) []byte {
	for len(b) > 0 && isBlank(b[0]) {
		b = b[1:]
	}
	return b
}

// value reads the value of an attribute. One that is cut off leaves nothing behind it.
func (p *prescanner) value() []byte {
	if len(p.rest) == 0 {
		return nil
	}
	if q := p.rest[0]; q == '"' || q == '\'' {
		inside, after, _ := bytes.Cut(p.rest[1:], p.rest[:1])
		p.rest = after
		return inside
	}
	start := p.rest
	p.skipName()
	return start[:len(start)-len(p.rest)]
}

func lowerCase(b []byte) string { return strings.ToLower(string(b)) }

// metaCharset gives the label in the CONTENT of a META, "text/html; charset=label" (HTML, section
// 2.5.3), "" without one.
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

// charsetLabel gives the label that s begins with: in quotes, or up to a blank or semicolon.
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

// xmlDeclaration gives the charset of an XML declaration that a page begins with, nil without one.
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
