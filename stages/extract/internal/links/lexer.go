package links

import (
	"bytes"
	"encoding/binary"
)

// A lexer cuts a page into tokens, as the standard has it (HTML, section 13.2.5), in place: what it gives are
// parts of the page, and nothing is decoded that nobody asks for. It knows no tree.
//
// Package golang.org/x/net/html has a tokenizer that does the same eight times slower. What this one gives is
// what that one gives, to the letter: FuzzLexer and TestRealPages hold it to that.
type lexer struct {
	page  []byte
	at    int    // where the next token begins
	texts bool   // all tokens are wanted, else only start tags that have attributes which matter
	raw   string // the element that has just begun and holds no markup, "" if none

	name [maxName]byte // of the tag that was read, in lower case
	size int           // its length, 0 for names that nobody knows
	tag  tag
	text []byte // of a text token, as it stands on the page
	kind textKind
}

// maxName is the length of the longest name that matters, of elements and of attributes.
const maxName = len("http-equiv")

// A token is what next has found.
type token uint8

const (
	pageEnd token = iota
	textToken
	startTag // <a …>, <a …/>
	endTag   // </a>
)

// open makes the lexer ready for another page, and nothing of the last one is kept.
func (l *lexer) open(page []byte, texts bool) {
	*l = lexer{page: page, texts: texts}
}

// tagName gives the name of the tag that was read, in lower case, "" where it is one of no importance.
// It is valid until the next tag.
func (l *lexer) tagName() []byte { return l.name[:l.size] }

// next reads the next token. Comments and declarations are passed over, and what the caller of open has no use for; a tag
// within which the page ends is none.
func (l *lexer) next() token {
	if l.raw != "" && l.rawText() {
		return textToken
	}
	for from := l.at; ; {
		open := index(l.page, l.at, '<')
		if open+1 >= len(l.page) {
			return l.lastText(from)
		}
		c := l.page[open+1]
		if !letter(c) && c != '/' && c != '!' && c != '?' {
			l.at = open + 1
			continue
		}
		if l.texts && from < open {
			l.at, l.text, l.kind = open, l.page[from:open], escaped
			return textToken
		}
		switch {
		case letter(c):
			if t := l.start(open + 1); t == pageEnd || l.texts || l.tag.has != 0 {
				return t
			}
			if l.raw != "" {
				l.rawText()
			}
		case c == '!':
			l.at = skipDeclaration(l.page, open+2)
		case c == '?':
			l.at = skipTo(l.page, open+1, '>')
		case open+2 == len(l.page):
			return l.lastText(open)
		case letter(l.page[open+2]):
			if !l.texts && l.passEnd(open+2) {
				break
			}
			if t := l.finish(open + 2); t == pageEnd || l.texts {
				return t
			}
		default:
			l.at = skipTo(l.page, open+2, '>')
		}
		from = l.at
	}
}

// lastText gives the rest of the page.
func (l *lexer) lastText(from int) token {
	l.at = len(l.page)
	if !l.texts || from == len(l.page) {
		return pageEnd
	}
	l.text, l.kind = l.page[from:], escaped
	return textToken
}

// start reads a start tag whose name is at i.
func (l *lexer) start(i int) token {
	i = l.readName(i)
	l.tag.has = 0
	if l.at = l.attributes(i, true); l.at < 0 {
		l.at = len(l.page)
		return pageEnd
	}
	l.raw = rawElement(l.tagName())
	return startTag
}

// finish reads an end tag whose name is at i. It may have attributes, which mean nothing.
func (l *lexer) finish(i int) token {
	i = l.readName(i)
	if l.at = l.attributes(i, false); l.at < 0 {
		l.at = len(l.page)
		return pageEnd
	}
	return endTag
}

// passEnd passes over an end tag whose name is at i, if it is as nearly all are: short and without "=", and so without
// quotes that might hide a ">".
func (l *lexer) passEnd(i int) (ok bool) {
	if len(l.page)-i < wordSize {
		return false
	}
	w := wordAt(l.page, i)
	n := w.equal('>').first()
	l.at = i + n + 1
	return n < w.equal('=').first()
}

// readName reads the name of an element, which is at i.
func (l *lexer) readName(i int) (behind int) {
	p, n := l.page, 0
	if len(p)-i >= wordSize {
		w := wordAt(p, i)
		if n := w.letters(); n < wordSize && class[p[i+n]]&endsName != 0 {
			binary.LittleEndian.PutUint64(l.name[:], uint64(w.lower()))
			l.size = n
			return i + n
		}
	}
	for ; i < len(p) && class[p[i]]&endsName == 0; i++ {
		if n < maxName {
			l.name[n] = lowerCase(p[i])
		}
		n++
	}
	if l.size = n; n > maxName {
		l.size = 0
	}
	return i
}

// attributes reads the attributes of a tag, the first of which may be at i, keeps those that matter if keep is
// true, and gives the place behind the tag, or -1 where the page ends within.
func (l *lexer) attributes(i int, keep bool) int {
	p := l.page
	for {
		if i = skipBlank(p, i); i == len(p) {
			return -1
		}
		if p[i] == '>' {
			return i + 1
		}
		if len(p)-i >= 2*wordSize {
			// Nearly all are written as name="value", with a short name of letters.
			n := wordAt(p, i).letters()
			value := i + n + len(`="`)
			if quote := p[value-1]; n > 0 && p[value-2] == '=' && (quote == '"' || quote == '\'') {
				end := index(p, value, quote)
				if end == len(p) {
					return -1
				}
				if keep && lengths>>n&1 != 0 {
					l.tag.keep(p[i:i+n], p[value:end])
				}
				i = end + 1
				continue
			}
		}
		key := i
		if p[i] == '=' { // which may begin a name
			i++
		}
		for i < len(p) && class[p[i]]&endsKey == 0 {
			i++
		}
		name := p[key:i]
		var value []byte
		if value, i = attributeValue(p, i); i < 0 {
			return -1
		}
		if keep {
			l.tag.keep(name, value)
		}
	}
}

// attributeValue reads what may follow the name of an attribute, "= value" or the "/" at the end of a tag, and gives
// the place behind it, or -1 where the page ends within.
func attributeValue(p []byte, i int) (value []byte, behind int) {
	if i = skipBlank(p, i); i == len(p) {
		return nil, -1
	}
	switch p[i] {
	case '/':
		return nil, i + 1
	case '=':
	default:
		return nil, i
	}
	if i = skipBlank(p, i+1); i == len(p) {
		return nil, -1
	}
	switch q := p[i]; q {
	case '>':
		return nil, i
	case '"', '\'':
		end := index(p, i+1, q)
		if end == len(p) {
			return nil, -1
		}
		return p[i+1 : end], end + 1
	}
	start := i
	for i < len(p) && class[p[i]]&endsValue == 0 {
		i++
	}
	if i == len(p) {
		return nil, -1
	}
	return p[start:i], i
}

// What the bytes of a tag mean.
const (
	isBlank   = 1 << iota
	endsName  // of an element
	endsKey   // the name of an attribute
	endsValue // without quotes
	isLetter
)

var class = func() (c [256]uint8) {
	for i := range len(blank) {
		c[blank[i]] = isBlank | endsName | endsKey | endsValue
	}
	c['/'] = endsName | endsKey
	c['>'] = endsName | endsKey | endsValue
	c['='] = endsKey
	for i := range 'z' - 'a' + 1 {
		c['a'+i], c['A'+i] = isLetter, isLetter
	}
	return c
}()

func letter(c byte) bool { return class[c]&isLetter != 0 }

func skipBlank(p []byte, i int) int {
	for i < len(p) && class[p[i]]&isBlank != 0 {
		i++
	}
	return i
}

// index gives the place of the next c, from i on, or the end. Most are near: the first two words are looked at here.
func index(p []byte, i int, c byte) int {
	if len(p)-i >= 2*wordSize {
		one, two := wordAt(p, i).equal(c), wordAt(p, i+wordSize).equal(c)
		if one|two != 0 {
			n := one.first()
			if one == 0 {
				n += two.first()
			}
			return i + n
		}
		i += 2 * wordSize
	}
	if n := bytes.IndexByte(p[i:], c); n >= 0 {
		return i + n
	}
	return len(p)
}

// skipTo gives the place behind the next c, or the end.
func skipTo(p []byte, i int, c byte) int {
	return min(index(p, i, c)+1, len(p))
}

// lower gives name in lower case, in buf; nothing if it is longer, and so none that matters.
func lower(buf, name []byte) []byte {
	if len(name) > len(buf) {
		return nil
	}
	for i, c := range name {
		buf[i] = lowerCase(c)
	}
	return buf[:len(name)]
}

func lowerCase(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

// skipDeclaration gives the place behind a comment, a DOCTYPE or what is taken for a comment; i is behind "<!".
func skipDeclaration(p []byte, i int) int {
	if !bytes.HasPrefix(p[i:], []byte("--")) {
		return skipTo(p, i, '>')
	}
	i += len("--")
	if bytes.HasPrefix(p[i:], []byte(">")) || bytes.HasPrefix(p[i:], []byte("->")) {
		return skipTo(p, i, '>')
	}
	for end := skipTo(p, i, '>'); ; end = skipTo(p, end, '>') {
		comment := p[i:end]
		if end == len(p) || bytes.HasSuffix(comment, []byte("-->")) || bytes.HasSuffix(comment, []byte("--!>")) {
			return end
		}
	}
}
