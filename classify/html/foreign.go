package html

import (
	"bytes"
	"slices"
)

// An element is an open element in which tags are read by other rules than in HTML: an element of
// SVG or MathML, or a TEMPLATE. The rules are those of the standard (HTML, section 13.2.6.5). There
// is no list of the open elements of HTML, so the result is a guess if elements of HTML and others
// overlap.
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
	htmlPoint // in SVG or MathML; its content is HTML
	textPoint // in MathML; its content is HTML except two elements
)

func (e *element) is(name []byte) bool { return string(e.name[:e.size]) == string(name) }

// Foreign reports whether the current tag begins or ends an element of SVG or MathML.
func (l *Lexer) Foreign() bool { return l.foreign }

// InTemplate reports whether the current token is in a TEMPLATE, which is not part of the visible
// page.
func (l *Lexer) InTemplate() bool {
	return slices.ContainsFunc(l.inside, func(e element) bool { return e.kind == templateElement })
}

// InForeign reports whether the current token is in an element of SVG or MathML.
func (l *Lexer) InForeign() bool {
	return slices.ContainsFunc(l.inside, func(e element) bool { return e.kind != templateElement })
}

// Closed reports whether the current start tag ends its element, as "/>" does in XML, SVG and
// MathML, and not in HTML.
func (l *Lexer) Closed() bool { return l.closed && (l.foreign || l.isXML()) }

// maxInside limits the list of open elements for pages that nest without end: a few kilobytes, and
// little time for an end tag.
const maxInside = 100

// enter records the element that the current start tag begins.
func (l *Lexer) enter() {
	name := l.Name()
	l.foreign = l.isForeign(name)
	if l.foreign && !l.isXML() && l.breaksOut(name) {
		l.leaveForeign()
		l.foreign = false
	}
	var kind elementKind
	switch {
	case l.foreign:
		kind = l.foreignKind(name)
	case string(name) == "svg":
		kind = svgElement
	case string(name) == "math":
		kind = mathElement
	case string(name) == "template":
		kind = templateElement
	default:
		l.raw = l.raw && !l.isXML()
		return
	}
	l.raw, l.foreign = false, kind != templateElement
	if len(l.inside) < maxInside && (!l.closed || kind == templateElement && !l.isXML()) {
		l.inside = append(l.inside, element{l.name, l.size, kind})
	}
}

// isForeign reports whether a start tag with this name, inside the open elements, is one of SVG or
// MathML.
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

// foreignKind returns the kind of an element with this name inside the innermost open element,
// which is foreign.
func (l *Lexer) foreignKind(name []byte) elementKind {
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
		encoding, _ := l.attribute("encoding")
		if kind == mathElement && (bytes.EqualFold(encoding, []byte("text/html")) ||
			bytes.EqualFold(encoding, []byte("application/xhtml+xml"))) {
			return htmlPoint
		}
	}
	return kind
}

// breaksOut reports whether a start tag is one of HTML that ends the foreign elements around it.
func (l *Lexer) breaksOut(name []byte) bool {
	return isHTML(name) || string(name) == "font" && slices.ContainsFunc([]string{"color", "face", "size"},
		func(a string) bool { _, ok := l.attribute(a); return ok })
}

// isHTML reports whether an element with this name is always one of HTML.
func isHTML(name []byte) bool {
	switch string(name) {
	case "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr",
		"ol", "p", "pre", "ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u",
		"ul", "var":
		return true
	}
	return false
}

// leaveForeign closes foreign elements, up to one that may contain HTML.
func (l *Lexer) leaveForeign() {
	n := len(l.inside)
	for n > 0 && (l.inside[n-1].kind == svgElement || l.inside[n-1].kind == mathElement) {
		n--
	}
	l.inside = l.inside[:n]
}

// leave closes the element that the current end tag ends. If no open element matches, leave assumes
// that an end tag of HTML ends an element around it.
func (l *Lexer) leave() {
	if l.ended { // the end tag is that of an HTML element, which is not in the list
		l.ended = false
		return
	}
	name := l.Name()
	root := string(name) == "svg" || string(name) == "math"
	for n := len(l.inside) - 1; n >= 0; n-- {
		if l.inside[n].is(name) {
			l.foreign = l.inside[n].kind != templateElement
			l.inside = l.inside[:n]
			return
		}
		kind := l.inside[n].kind
		if kind == templateElement || kind != svgElement && kind != mathElement && !root {
			break
		}
	}
	if isHTML(name) && !l.isXML() {
		l.leaveForeign()
	}
}

// attribute returns the attribute with this name, in lower case, of the current start tag.
func (l *Lexer) attribute(name string) (value []byte, ok bool) {
	for i := skipBlank(l.page, l.attrs); i < l.at-len(">"); i = skipBlank(l.page, i) {
		key, value, after := attributeAt(l.page, i)
		if bytes.EqualFold(key, []byte(name)) {
			return value, true
		}
		i = after
	}
	return nil, false
}

func (l *Lexer) isXML() bool { return l.mode&XML != 0 }

// hasCDATA reports whether CDATA sections are recognized here. In HTML they are not.
func (l *Lexer) hasCDATA() bool {
	n := len(l.inside)
	return l.isXML() || n > 0 && l.inside[n-1].kind != templateElement
}

// cdata reads a CDATA section that begins with the "<!" before i, if there is one.
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
