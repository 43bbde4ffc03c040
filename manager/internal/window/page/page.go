// Package page turns figures into HTML. A page is a frame (html/frame.html) with parts; each part
// is a template of its own in html/. The server sends a whole page, and later only the parts that
// have changed; live.js replaces these. So every page is right without JavaScript, too.
//
// All text of a crawl may be hostile. html/template escapes it. Characters that a browser does not
// show, or that reverse the direction of text, are written as U+XXXX, in all output. No page has
// scripts or styles in it: the Content-Security-Policy of package guard forbids them.
package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
)

//go:embed html/*.html
var templates embed.FS

//go:embed style.css live.js icon.svg
var files embed.FS

// A Page is a whole page.
type Page struct {
	Title string
	Crawl string // the name of the crawl; "" on the list of all
	Base  string // the address of the crawl, with a slash at its end
	At    string // the address of this page
	Parts []Part
	Find  string // the text in the search field
	Still bool   // the page does not change, so it is not live
}

// A Part is a section of a page. It is replaced when its HTML has changed.
type Part struct {
	ID   string // unique in the page: letters and -
	HTML template.HTML
	Sum  string // a hash of HTML
}

// A Set renders pages.
type Set struct{ all *template.Template }

// New reads the templates.
func New() (*Set, error) {
	all, err := template.New("").Funcs(functions()).ParseFS(templates, "html/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	return &Set{all}, nil
}

// Part renders the template html/NAME.html.
func (s *Set) Part(id, name string, data any) (Part, error) {
	var b bytes.Buffer
	if err := s.all.ExecuteTemplate(&b, name+".html", data); err != nil {
		return Part{}, fmt.Errorf("page %s: %w", name, err)
	}
	text := visible(b.Bytes())
	return Part{id, template.HTML(text), fmt.Sprintf("%016x", xxhash.Sum64(text))}, nil
}

// Write writes a whole page.
func (s *Set) Write(w io.Writer, p *Page) error { return s.Alone(w, "frame", p) }

// Alone writes the template html/NAME.html, which is a whole page that needs no other file.
func (s *Set) Alone(w io.Writer, name string, data any) error {
	var b bytes.Buffer
	if err := s.all.ExecuteTemplate(&b, name+".html", data); err != nil {
		return fmt.Errorf("page %s: %w", name, err)
	}
	_, err := w.Write(visible(b.Bytes()))
	return err
}

//go:embed style.css
var style string

// Style is the style of all pages, for one that needs no other file.
func Style() string { return style }

// File serves style.css, live.js or icon.svg.
func File(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) }
}

// visible replaces control characters, and those that change the direction of text, by U+XXXX.
func visible(html []byte) []byte {
	out := html[:0:0]
	from := 0
	for i := 0; i < len(html); {
		c, size := utf8.DecodeRune(html[i:])
		if misleads(c) || c == utf8.RuneError && size == 1 {
			out = append(append(out, html[from:i]...), fmt.Sprintf("U+%04X", c)...)
			from = i + size
		}
		i += size
	}
	if out == nil {
		return html
	}
	return append(out, html[from:]...)
}

// misleads reports whether a character does not show or changes the direction of text. The joiners
// of Persian and Indic scripts are part of words.
func misleads(c rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return c != '\n' && c != '\t' && c != nonJoiner && c != joiner &&
		(unicode.IsControl(c) || unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp))
}
