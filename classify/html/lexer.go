package html

import (
	"bytes"

	"multitext/classify/internal/ascii"
)

// A Lexer splits a page into tokens. Its zero value reads an empty page; [Lexer.Open] begins
// another page. It must be used by one goroutine at a time.
type Lexer struct {
	page []byte
	at   int // the position of the next token
	mode Mode

	name   [maxName]byte // the name of the current tag, in lower case
	size   int           // the length of the name; 0 for names without a rule
	attrs  int           // the position of the attributes of the current tag
	tag    tag
	closed bool // the current tag ends with "/>"
	raw    bool // the current tag begins an element without markup, which is read next

	inside  []element // open elements that decide how tags are read
	ended   bool      // an element without markup has just ended, inside one of these
	foreign bool      // the current tag begins or ends an element of SVG or MathML
	hidden  bool      // the text after the current start tag is not shown

	text []byte // the text of a text token, as written on the page
	kind textKind
}

// maxName is the length of the longest name of an element or attribute that this package
// distinguishes.
const maxName = len("feComponentTransfer")

// A Mode selects how a page is read, and which tokens are returned. With neither [Texts] nor
// [Shown], the lexer returns the start tags that have an [Attribute] to keep.
type Mode uint8

const (
	// Texts selects all tokens.
	Texts Mode = 1 << iota
	// Shown selects the text that a browser shows which runs scripts, frames and plug-ins. Each tag
	// and comment ends a piece of the text. Attributes are not kept.
	Shown
	// XML reads the page as XML: every element may contain markup and may end with "/>".
	XML
	// AllMarkup recognizes tags everywhere except in comments, even in scripts and titles.
	AllMarkup
	// Classes keeps the attributes [Class], [ID] and [Role], too.
	Classes
)

// A Token is the kind of token that [Lexer.Next] has found.
type Token uint8

const (
	PageEnd Token = iota
	TextToken
	StartTag // <a …>, <a …/>
	EndTag   // </a>

	none // a token that the mode leaves out
)

// Open begins another page. The page must not change while it is read.
func (l *Lexer) Open(page []byte, mode Mode) {
	*l = Lexer{page: page, mode: mode, inside: l.inside[:0]}
}

// Name returns the name of the current tag, in lower case. It returns "" if the name is longer than
// all names that this package distinguishes. The result is valid until the next tag.
func (l *Lexer) Name() []byte { return l.name[:l.size] }

// Text returns the current text as written on the page. If escaped is true, it may contain
// entities.
func (l *Lexer) Text() (text []byte, escaped bool) { return l.text, l.kind != rawPlain }

// Next reads the next token. It skips comments, declarations, and tokens that the mode leaves out.
// If the page ends within a tag, it returns no token for the tag.
func (l *Lexer) Next() Token {
	if l.raw && l.rawText() {
		return TextToken
	}
	for from := l.at; ; {
		open := l.at
		if open == len(l.page) || l.page[open] != '<' { // true after a text
			open = index(l.page, l.at, '<')
		}
		if open+1 >= len(l.page) {
			return l.lastText(from)
		}
		c := l.page[open+1]
		if !ascii.IsLetter(c) && c != '/' && c != '!' && c != '?' {
			l.at = open + 1
			continue
		}
		if from < open && l.wantsText() {
			l.at, l.text, l.kind = open, l.page[from:open], escaped
			return TextToken
		}
		if token := l.markup(open + 1); token != none {
			return token
		}
		from = l.at
	}
}

// markup reads the markup that begins with the "<" before i. It returns a token if the mode selects
// it.
func (l *Lexer) markup(i int) Token {
	switch c := l.page[i]; {
	case ascii.IsLetter(c):
		return l.start(i)
	case c == '!' && l.cdata(i+1):
		if len(l.text) > 0 && l.wantsText() {
			return TextToken
		}
	case c == '!':
		l.at = skipDeclaration(l.page, i+1)
	case c == '/' && i+1 == len(l.page):
		return l.lastText(i - 1)
	case c == '/' && ascii.IsLetter(l.page[i+1]):
		return l.end(i + 1)
	default:
		l.at = skipTo(l.page, i+1, '>')
	}
	return none
}

func (l *Lexer) wantsText() bool {
	return l.mode&Texts != 0 || l.mode&Shown != 0 && !l.hidden
}

// lastText returns the rest of the page.
func (l *Lexer) lastText(from int) Token {
	l.at = len(l.page)
	if !l.wantsText() || from == len(l.page) {
		return PageEnd
	}
	l.text, l.kind = l.page[from:], escaped
	return TextToken
}

// skipDeclaration returns the position after a comment, a DOCTYPE or other markup that counts as a
// comment. i is the position after "<!".
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
