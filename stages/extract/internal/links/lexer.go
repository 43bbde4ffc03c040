package links

import "bytes"

// A lexer cuts a page into tokens, as the standard has it (HTML, section 13.2.5), in place: what it gives are
// parts of the page, and nothing is decoded that nobody asks for. It knows no tree, but what stands in SVG, MathML and
// TEMPLATE.
//
// Package golang.org/x/net/html has a tokenizer that does the same eight times slower. What this one gives is
// what that one gives, to the letter: FuzzLexer and TestRealPages hold it to that.
type lexer struct {
	page  []byte
	at    int    // where the next token begins
	texts bool   // all tokens are wanted, else only start tags that have attributes which matter
	xml   bool   // the page is XML, which has no elements without markup
	raw   string // the element that has just begun and holds no markup, "" if none

	inside    []element // which are open and decide how tags are read
	templates int       // of these
	ending    string    // the element without markup that has just ended, where any are open
	foreign   bool      // the start tag that was read is one of SVG or MathML

	name [maxName]byte // of the tag that was read, in lower case
	size int           // its length, 0 for names that nobody knows
	tag  tag
	text []byte // of a text token, as it stands on the page
	kind textKind
}

// maxName is the length of the longest name that matters, of elements and of attributes.
const maxName = len("feComponentTransfer")

// A token is what next has found.
type token uint8

const (
	pageEnd token = iota
	textToken
	startTag // <a …>, <a …/>
	endTag   // </a>
)

// open makes the lexer ready for another page, and nothing of the last one is kept.
func (l *lexer) open(page []byte, texts, xml bool) {
	*l = lexer{page: page, texts: texts, xml: xml, inside: l.inside[:0]}
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
		case c == '!' && l.cdata(open+2):
			if l.texts && len(l.text) > 0 {
				return textToken
			}
		case c == '!':
			l.at = skipDeclaration(l.page, open+2)
		case c == '?':
			l.at = skipTo(l.page, open+1, '>')
		case open+2 == len(l.page):
			return l.lastText(open)
		case letter(l.page[open+2]):
			if !l.texts && len(l.inside) == 0 && l.passEnd(open+2) {
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
