package html

import "bytes"

// A Lexer cuts a page into tokens. Its zero value reads an empty page; [Lexer.Open] gives it
// another one. It is for one goroutine.
type Lexer struct {
	page []byte
	at   int // where the next token begins
	mode Mode
	raw  string // the element that has just begun and holds no markup, "" if none

	inside    []element // those that are open and decide how tags are read
	templates int       // how many of these are templates
	ending    string    // the element without markup that has just ended, where any are open
	foreign   bool      // the start tag that was read is one of SVG or MathML

	name [maxName]byte // of the tag that was read, in lower case
	size int           // its length, 0 for names that nobody knows
	tag  tag

	closed bool   // the tag that was read ends with "/>"
	text   []byte // of a text token, as it stands on the page
	kind   textKind

	hidden bool // what NextShown reads is not shown
}

// maxName is the length of the longest name that matters, of elements and of attributes.
const maxName = len("feComponentTransfer")

// A Mode says how a page is read, and what is wanted of it.
type Mode uint8

const (
	// Texts gives all tokens. Without it there are only start tags that have attributes which are
	// kept.
	Texts Mode = 1 << iota
	// XML reads the page as XML, where every element may hold markup and may end with "/>".
	XML
	// AllMarkup looks for tags everywhere but in comments: in scripts and titles, too.
	AllMarkup
	// shown is the mode of OpenShown: NOSCRIPT, NOFRAMES and NOEMBED hold no markup; attributes and
	// the names of end tags are not kept.
	shown
)

// A Token is what [Lexer.Next] has found.
type Token uint8

const (
	PageEnd Token = iota
	TextToken
	StartTag // <a …>, <a …/>
	EndTag   // </a>
)

// Open makes the lexer ready for another page and forgets the last one. The page must not change
// while it is read.
func (l *Lexer) Open(page []byte, mode Mode) {
	*l = Lexer{page: page, mode: mode, inside: l.inside[:0]}
}

// Name gives the name of the tag that was read, in lower case, "" where it is longer than any that
// matters. It is valid until the next tag.
func (l *Lexer) Name() []byte { return l.name[:l.size] }

// Attr gives the value of an attribute of the start tag that was read, as it stands on the page;
// nil where the attribute is absent or empty. [AppendValue] decodes it.
func (l *Lexer) Attr(a Attribute) []byte { return l.tag.get(a) }

// Foreign tells whether the start tag that was read is one of SVG or MathML.
func (l *Lexer) Foreign() bool { return l.foreign }

// InTemplate tells whether what is read stands in a TEMPLATE, which is no part of the page that is
// shown.
func (l *Lexer) InTemplate() bool { return l.templates > 0 }

// Text gives the text that was read as it stands on the page. Entities stand for characters in it
// where escaped is true.
func (l *Lexer) Text() (text []byte, escaped bool) { return l.text, l.kind != rawPlain }

// Next reads the next token. Comments, declarations and what the mode leaves out are passed over. A
// tag within which the page ends is none.
func (l *Lexer) Next() Token {
	if l.raw != "" && l.rawText() {
		return TextToken
	}
	for from := l.at; ; {
		open := l.at
		if open == len(l.page) || l.page[open] != '<' { // it is, behind a text
			open = index(l.page, l.at, '<')
		}
		if open+1 >= len(l.page) {
			return l.lastText(from)
		}
		c := l.page[open+1]
		if !letter(c) && c != '/' && c != '!' && c != '?' {
			l.at = open + 1
			continue
		}
		if l.texts() && from < open {
			l.at, l.text, l.kind = open, l.page[from:open], escaped
			return TextToken
		}
		switch {
		case letter(c):
			if t := l.start(open + 1); t == PageEnd || l.texts() || l.tag.has != 0 {
				return t
			}
			if l.raw != "" {
				l.rawText()
			}
		case c == '!' && l.cdata(open+2):
			if l.texts() && len(l.text) > 0 {
				return TextToken
			}
		case c == '!':
			l.at = skipDeclaration(l.page, open+2)
		case c == '?':
			l.at = skipTo(l.page, open+1, '>')
		case open+2 == len(l.page):
			return l.lastText(open)
		case letter(l.page[open+2]):
			if (!l.texts() || l.mode&shown != 0) && len(l.inside) == 0 && l.passEnd(open+2) {
				if l.texts() {
					return EndTag
				}
				break
			}
			if t := l.finish(open + 2); t == PageEnd || l.texts() {
				return t
			}
		default:
			l.at = skipTo(l.page, open+2, '>')
		}
		from = l.at
	}
}

func (l *Lexer) texts() bool { return l.mode&Texts != 0 }

// lastText gives the rest of the page.
func (l *Lexer) lastText(from int) Token {
	l.at = len(l.page)
	if !l.texts() || from == len(l.page) {
		return PageEnd
	}
	l.text, l.kind = l.page[from:], escaped
	return TextToken
}

// skipDeclaration gives the place behind a comment, a DOCTYPE or what is taken for a comment; i is
// behind "<!".
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
