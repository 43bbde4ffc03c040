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

// A Page has everything by which a page is judged.
type Page struct {
	Status      int    // HTTP status; 0 if there is no answer that can be parsed
	ContentType string // as sent
	Body        []byte // transfer and content coding undone; may be cut; nil if it has no text
	Elsewhere   bool   // a revisit: another answer has the text, and the other fields are unset
}

// FromAnswer returns the page of an answer, with at most limit bytes of its decompressed body.
// Bodies whose text is not needed are not decompressed. An error means that the file is damaged.
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
		return p, nil // an answer that cannot be parsed has no text
	}
	return p, err
}

// isText reports whether a type may contain text for people.
func isText(contentType string) bool {
	return isMarkedUp(contentType) || isPlain(contentType) || !media.Declared(contentType)
}

// isMarkedUp reports whether a type is text with tags: HTML, and XML except drawings.
func isMarkedUp(contentType string) bool {
	t := media.Type(contentType)
	xml := strings.HasSuffix(t, "/xml") || strings.HasSuffix(t, "+xml")
	return media.IsHTML(contentType) || xml && t != "image/svg+xml"
}

// isPlain reports whether a type is plain text for people. Style sheets, scripts and tables of
// numbers are not.
func isPlain(contentType string) bool {
	switch t := media.Type(contentType); t {
	case "text/css", "text/javascript", "text/csv":
		return false
	default:
		return strings.HasPrefix(t, "text/") && !isMarkedUp(contentType)
	}
}

// terms returns the terms of the page's text. A body without a declared type is HTML if it begins
// like HTML; else it has no terms.
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
