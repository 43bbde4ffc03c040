package maintext

import (
	"bytes"

	"multitext/classify/html"
)

// maxTitle is how much of a title is read, in bytes.
const maxTitle = 4 << 10

// An Extractor reads one page after another. Its zero value is ready to use. It is not safe for
// concurrent use.
type Extractor struct {
	lexer  html.Lexer
	blocks blocks
	inside inside
	title  string
	out    []byte
}

// A Page is what an Extractor has read. Its text is valid until the next call.
type Page struct {
	Title string // in one line; "" if the page has none
	Text  []byte // the main text in UTF-8, a block a line, without controls but tabs and line ends
	Words int    // how many words it has
}

// A Meta receives the name and the content of each META.
type Meta func(name, content []byte)

// Read reads a page in UTF-8. xml is for XHTML that was sent as XML.
func (x *Extractor) Read(page []byte, xml bool, meta Meta) Page {
	x.blocks.reset()
	x.inside, x.title = inside{}, ""
	mode := html.Texts | html.Classes
	if xml {
		mode |= html.XML
	}
	x.lexer.Open(page, mode)
	for {
		switch x.lexer.Next() {
		case html.PageEnd:
			x.blocks.end()
			x.lexer.Open(nil, 0) // drops the reference to the page
			return x.page()
		case html.TextToken:
			x.text()
		case html.StartTag:
			x.start(meta)
		case html.EndTag:
			x.end()
		}
	}
}

// page decides, and joins the blocks of the main text.
func (x *Extractor) page() Page {
	b := &x.blocks
	b.decide()
	p := Page{Title: x.title}
	x.out = reusable(x.out)
	for i := range b.all {
		if k := &b.all[i]; k.kept {
			if len(x.out) > 0 {
				x.out = append(x.out, '\n')
			}
			x.out = append(x.out, b.text[k.from:k.to]...)
			p.Words += k.words
		}
	}
	p.Text = x.out
	return p
}

func (x *Extractor) text() {
	switch in := &x.inside; {
	case in.title:
		if x.title == "" {
			x.title = oneLine(x.lexer.DecodedText(maxTitle))
		}
	case in.depth > 0, x.lexer.InTemplate(), x.lexer.InForeign():
	default:
		text, escaped := x.lexer.Text()
		if escaped && bytes.IndexByte(text, '&') >= 0 {
			text = []byte(x.lexer.DecodedText(len(text)))
		}
		x.blocks.add(text)
	}
}

// oneLine returns a text as the blocks keep it.
func oneLine(s string) string {
	var b blocks
	b.add([]byte(s))
	return string(b.text)
}
