package judge

import (
	"errors"
	"iter"
	"strings"

	"multitext/classify/terms"
	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/web/charset"
	"multitext/stages/internal/web/media"
)

// A Page is what a page is judged by.
type Page struct {
	Status      int    // of HTTP; 0 where there was no answer that could be read
	ContentType string // as sent
	Body        []byte // transfer and content coding undone; perhaps cut, and nil where there is no text in it
	Elsewhere   bool   // of a revisit: the text is with another answer, and all else is unset
}

// FromAnswer gives the page of an answer, of which at most limit bytes are read, inflated. Nothing
// is inflated whose text will not be asked for. An error is one of the file.
func FromAnswer(a *warc.Answer, limit int64) (Page, error) {
	if a.Revisit() {
		return Page{Elsewhere: true}, nil
	}
	h, err := a.HTTP()
	var damage *warc.DamageError
	if errors.As(err, &damage) {
		return Page{}, err
	}
	if err != nil {
		return Page{}, nil
	}
	p := Page{Status: h.Status, ContentType: h.Header.ContentType()}
	if h.Status/100 != 2 || !isText(p.ContentType) {
		return p, nil
	}
	p.Body, _, err = a.Body(limit)
	if errors.Is(err, coding.ErrUnknown) {
		return p, nil // what cannot be read has no text
	}
	return p, err
}

// isText tells whether a type may hold text for people.
func isText(contentType string) bool {
	return isMarkedUp(contentType) || isPlain(contentType) || !media.Declared(contentType)
}

// isMarkedUp tells whether a type is text with tags in it: HTML, and XML but for drawings.
func isMarkedUp(contentType string) bool {
	t := media.Type(contentType)
	xml := strings.HasSuffix(t, "/xml") || strings.HasSuffix(t, "+xml")
	return media.IsHTML(contentType) || xml && t != "image/svg+xml"
}

// isPlain tells whether a type is text that is read as it stands. Style sheets, scripts and tables
// of numbers are not for people.
func isPlain(contentType string) bool {
	switch t := media.Type(contentType); t {
	case "text/css", "text/javascript", "text/csv":
		return false
	default:
		return strings.HasPrefix(t, "text/") && !isMarkedUp(contentType)
	}
}

// terms are the terms of the page's text. A body of an undeclared type is HTML if it begins like
// it, else it has none.
func (p Page) terms(s *terms.Splitter) iter.Seq[[]byte] {
	marked := isMarkedUp(p.ContentType) || !media.Declared(p.ContentType) && media.LooksHTML(p.Body)
	if !marked && !isPlain(p.ContentType) {
		return func(func([]byte) bool) {}
	}
	text := p.Body
	if !s.ASCII {
		text, _, _ = charset.UTF8(p.Body, p.ContentType)
	}
	if marked {
		return s.HTML(text)
	}
	return s.Text(text)
}
