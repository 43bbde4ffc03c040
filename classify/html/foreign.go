package html

import "bytes"

// An element is one in which tags are read otherwise than in HTML: one of SVG or MathML, or a
// TEMPLATE. The rules are those of the standard (HTML, section 13.2.6.5), without a list of what is
// open of HTML, and so by a guess where elements of HTML and others overlap.
type element struct {
	name [maxName]byte
	size int
	kind elementKind
}

type elementKind uint8

const (
	templateElement elementKind = iota
	svgElement
	mathElement
	htmlPoint // of SVG or MathML, and what stands in it is HTML
	textPoint // of MathML, and what stands in it is HTML but for two elements
)

func (e *element) is(name []byte) bool { return string(e.name[:e.size]) == string(name) }

// enter notes what the start tag that was read begins. Its attributes may be at i.
func (l *Lexer) enter(i int) {
	name := l.Name()
	l.foreign = l.isForeign(name)
	if l.foreign && !l.isXML() && l.breaksOut(name, i) {
		l.leaveForeign()
		l.foreign = false
	}
	switch raw := l.raw; {
	case l.foreign:
		l.raw = ""
		if !l.closed {
			l.push(l.foreignKind(name, i))
		}
	case raw == "svg", raw == "math":
		l.raw, l.foreign = "", true
		switch {
		case l.closed:
		case raw == "svg":
			l.push(svgElement)
		default:
			l.push(mathElement)
		}
	case raw == "template":
		l.raw = ""
		if !l.closed || !l.isXML() {
			l.push(templateElement)
		}
	case l.isXML():
		l.raw = ""
	}
}

// maxInside bounds what is held of a page that nests for ever: a few kilobytes, and little time for
// an end tag.
const maxInside = 100

func (l *Lexer) push(kind elementKind) {
	if len(l.inside) == maxInside {
		return
	}
	l.inside = append(l.inside, element{l.name, l.size, kind})
	if kind == templateElement {
		l.templates++
	}
}

// isForeign tells whether a start tag of that name is one of SVG or MathML, inside what is open.
func (l *Lexer) isForeign(name []byte) bool {
	if len(l.inside) == 0 {
		return false
	}
	switch top := &l.inside[len(l.inside)-1]; top.kind {
	case svgElement:
		return true
	case mathElement:
		return string(name) != "svg" || !top.is([]byte("annotation-xml"))
	case textPoint:
		return string(name) == "mglyph" || string(name) == "malignmark"
	}
	return false
}

// foreignKind gives the kind of an element of that name in the one that is open, which is foreign.
func (l *Lexer) foreignKind(name []byte, i int) elementKind {
	kind := min(l.inside[len(l.inside)-1].kind, mathElement)
	switch string(name) {
	case "foreignobject", "desc", "title":
		if kind == svgElement {
			return htmlPoint
		}
	case "mi", "mo", "mn", "ms", "mtext":
		if kind == mathElement {
			return textPoint
		}
	case "annotation-xml":
		encoding, _ := l.attribute(i, "encoding")
		if kind == mathElement && (bytes.EqualFold(encoding, []byte("text/html")) ||
			bytes.EqualFold(encoding, []byte("application/xhtml+xml"))) {
			return htmlPoint
		}
	}
	return kind
}

// breaksOut tells whether a start tag is one of HTML, which ends what is foreign around it.
func (l *Lexer) breaksOut(name []byte, i int) bool {
	if string(name) == "font" {
		for _, a := range []string{"color", "face", "size"} {
			if _, ok := l.attribute(i, a); ok {
				return true
			}
		}
	}
	return isHTML(name)
}

// isHTML tells whether an element of that name is one of HTML wherever it stands.
func isHTML(name []byte) bool {
	switch string(name) {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed", "h1", "h2", "h3",
		"h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s",
		"small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var":
		return true
	}
	return false
}

// leaveForeign closes what is foreign, up to what HTML may stand in.
func (l *Lexer) leaveForeign() {
	n := len(l.inside)
	for n > 0 && (l.inside[n-1].kind == svgElement || l.inside[n-1].kind == mathElement) {
		n--
	}
	l.inside = l.inside[:n]
}

// leave closes what the end tag that was read ends. Where this is none of what is open, one of HTML
// is taken to end an element around it.
func (l *Lexer) leave() {
	name := l.Name()
	if l.ending != "" { // it stands in HTML, which is not held
		l.ending = ""
		return
	}
	root := string(name) == "svg" || string(name) == "math"
	for n := len(l.inside) - 1; n >= 0; n-- {
		kind := l.inside[n].kind
		if l.inside[n].is(name) {
			if kind == templateElement {
				l.templates--
			}
			l.inside = l.inside[:n]
			return
		}
		if kind == templateElement || kind != svgElement && kind != mathElement && !root {
			break
		}
	}
	if isHTML(name) && !l.isXML() {
		l.leaveForeign()
	}
}

// attribute gives the attribute of that name, in lower case, of the start tag that was read; those
// may begin at i.
func (l *Lexer) attribute(i int, name string) (value []byte, ok bool) {
	for i = skipBlank(l.page, i); i < l.at-len(">"); i = skipBlank(l.page, i) {
		key, value, behind := attributeAt(l.page, i)
		if bytes.EqualFold(key, []byte(name)) {
			return value, true
		}
		i = behind
	}
	return nil, false
}

func (l *Lexer) isXML() bool { return l.mode&XML != 0 }

// hasCDATA tells whether CDATA sections are known here. In HTML they are none.
func (l *Lexer) hasCDATA() bool {
	n := len(l.inside)
	return l.isXML() || n > 0 && l.inside[n-1].kind != templateElement
}

// cdata reads a CDATA section that "<!" in front of i begins, if there is one.
func (l *Lexer) cdata(i int) bool {
	const mark, end = "[CDATA[", "]]>"
	if !l.hasCDATA() || !bytes.HasPrefix(l.page[i:], []byte(mark)) {
		return false
	}
	start := i + len(mark)
	text, _, _ := bytes.Cut(l.page[start:], []byte(end))
	l.at = min(start+len(text)+len(end), len(l.page))
	l.text, l.kind = text, rawEscaped
	return true
}
