package html

import (
	"bytes"

	"multitext/classify/internal/ascii"
)

// A Lexer cuts a page into tokens. Its zero value reads an empty page; [Lexer.Open] gives it
// another one. It is for one goroutine.
type Lexer struct {
	page []byte
	at   int // where the next token begins
	mode Mode

	name   [maxName]byte // of the tag that was read, in lower case
	size   int           // of the name, 0 for names that no rule mentions
	attrs  int           // where the attributes of that tag begin
	tag    tag
	closed bool // that tag ends with "/>"
	raw    bool // that tag begins an element without markup, which is read next

	inside  []element // open elements that decide how tags are read
	ended   bool      // an element without markup has just ended, inside one of these
	foreign bool      // the start tag that was read is one of SVG or MathML
	hidden  bool      // the text after that start tag is not shown

	text []byte // of a text token, as it stands on the page
	kind textKind
}

// maxName is the length of the longest name that matters, of elements and of attributes.
const maxName = len("feComponentTransfer")

// A Mode says how a page is read, and which tokens are given. With neither [Texts] nor [Shown]
// these are the start tags that have an [Attribute] which is kept.
type Mode uint8

const (
	// Texts gives all tokens.
	Texts Mode = 1 << iota
	// Shown gives the text that a browser shows which runs scripts, frames and plug-ins. A piece of
	// it ends at any tag and comment. Attributes are not kept.
	Shown
	// XML reads the page as XML, where every element may hold markup and may end with "/>".
	XML
	// AllMarkup looks for tags everywhere but in comments: in scripts and titles, too.
	AllMarkup
)

// A Token is what [Lexer.Next] has found.
type Token uint8

const (
	PageEnd Token = iota
	TextToken
	StartTag // <a …>, <a …/>
	EndTag   // </a>

	none // what the mode leaves out
)

// Open makes the lexer ready for another page and forgets the last one. The page must not change
// while it is read.
func (l *Lexer) Open(page []byte, mode Mode) {
	*l = Lexer{page: page, mode: mode, inside: l.inside[:0]}
}

// Name returns the name of the tag that was read, in lower case, "" where it is longer than any
// that matters. It is valid until the next tag.
func (l *Lexer) Name() []byte { return l.name[:l.size] }

// Text returns the text that was read as it stands on the page. Entities stand for characters in it
// if escaped is true.
func (l *Lexer) Text() (text []byte, escaped bool) { return l.text, l.kind != rawPlain }

// Next reads the next token. Comments, declarations and what the mode leaves out are passed over. A
// tag within which the page ends is none.
func (l *Lexer) Next() Token {
	if l.raw && l.rawText() {
		return TextToken
	}
	for from := l.at; ; {
		open := l.at
		if open == len(l.page) || l.page[open] != '<' { // it is, after a text
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

// markup reads what the "<" before i begins, and returns a token if the mode wants it.
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

// lastText gives the rest of the page.
func (l *Lexer) lastText(from int) Token {
	l.at = len(l.page)
	if !l.wantsText() || from == len(l.page) {
		return PageEnd
	}
	l.text, l.kind = l.page[from:], escaped
	return TextToken
}

// skipDeclaration returns the place after a comment, a DOCTYPE or what is taken for a comment; i is
// after "<!".
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
