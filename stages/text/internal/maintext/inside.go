package maintext

import "multitext/classify/html"

// inside tells in which open elements the next text is. There is no list of the open elements: an
// end tag without its start tag has no effect, and an element without its end tag goes on.
type inside struct {
	hidden  name // the element that hides its text
	depth   int  // how many elements of that name are open
	title   bool
	heading bool
	mains   int // open elements MAIN
	parts   int // open elements ARTICLE
	kept    int // open elements that keep their blanks
}

// A name is that of an element with a rule; all are short.
type name struct {
	bytes [len("figcaption")]byte
	size  int
}

func nameOf(s []byte) (n name) {
	n.size = copy(n.bytes[:], s)
	return n
}

func (n *name) is(s []byte) bool { return string(n.bytes[:n.size]) == string(s) }

func (x *Extractor) start(meta Meta) {
	tag := x.lexer.Name()
	in, b := &x.inside, &x.blocks
	switch e := effectOf(tag); {
	case e == inline, x.lexer.Foreign():
	case e == describes:
		if content := x.lexer.Attr(html.Content); content != nil {
			meta(x.lexer.Attr(html.Name), content)
		}
	case in.depth > 0:
		if e == hides && in.hidden.is(tag) && !x.lexer.Closed() {
			in.depth++
		}
	case e == lines:
		b.newLine()
	case e == links:
		b.linked = x.lexer.Attr(html.Href) != nil
	default:
		b.end()
		if !x.lexer.Closed() {
			in.enter(e, tag)
			x.besides(e, tag)
		}
		x.place()
	}
}

func (x *Extractor) end() {
	tag := x.lexer.Name()
	in, b := &x.inside, &x.blocks
	switch e := effectOf(tag); {
	case e == inline, e == lines, e == describes, x.lexer.Foreign():
	case in.depth > 0:
		if e == hides && in.hidden.is(tag) {
			in.depth--
		}
	case e == links:
		b.linked = false
	default:
		b.end()
		in.leave(e)
		b.leaveRegion(tag)
		x.place()
	}
}

// enter notes the begin of an element.
func (in *inside) enter(e effect, tag []byte) {
	in.heading = e == heads
	switch e {
	case hides:
		in.hidden, in.depth = nameOf(tag), 1
	case main:
		in.mains++
	case article:
		in.parts++
	case titles:
		in.title = true
	case preserves:
		in.kept++
	}
}

// leave notes the end of an element.
func (in *inside) leave(e effect) {
	in.heading = false
	switch e {
	case main:
		in.mains = max(in.mains-1, 0)
	case article:
		in.parts = max(in.parts-1, 0)
	case titles:
		in.title = false
	case preserves:
		in.kept = max(in.kept-1, 0)
	}
}

// besides begins a region if the element says that it stands beside the main text.
func (x *Extractor) besides(e effect, tag []byte) {
	in, b := &x.inside, &x.blocks
	switch e {
	case beside:
	case header:
		if in.mains > 0 || in.parts > 0 {
			b.deepen(tag)
			return
		}
	case contains, article:
		if !isHint(x.lexer.Attr(html.Class)) && !isHint(x.lexer.Attr(html.ID)) && !isHint(x.lexer.Attr(html.Role)) {
			b.deepen(tag)
			return
		}
	default:
		return
	}
	b.enterRegion(tag)
}

// place tells the block that begins where it is.
func (x *Extractor) place() {
	in, b := &x.inside, &x.blocks
	b.preserved = in.kept > 0
	b.open.heading = in.heading
	b.open.main = in.mains > 0
	b.open.article = in.parts > 0
	b.open.region = b.region()
}
