package links

import (
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/directives"
	"multitext/stages/internal/web/httphead"
	"multitext/stages/internal/web/media"
)

// Options say which links to find.
type Options struct {
	Kinds   Set
	Agent   string // the crawler's name in META and X-Robots-Tag, in lower case; "" if it has none
	Obey    bool   // obey nofollow of pages and of links
	Anchors bool   // keep the text of links
	Max     int    // at most this many links a page, counted before repeats are dropped
}

// A Page is a document and its HTTP header.
type Page struct {
	URL    string          // canonical
	Header httphead.Fields // of the answer
	Body   []byte          // without transfer and content encoding; not modified

	// First is the canonical URL of an earlier page with the same head and body, whose links were
	// already taken; or "".
	First string
}

// A Link leads from a page to another URL.
type Link struct {
	URL    []byte // canonical
	Kind   Kind
	Anchor string // its text, with single blanks, at most MaxAnchor bytes; "" without Options.Anchors
}

// Result has the links of a page.
type Result struct {
	Links []Link // each URL once: links of the HTTP head, then links of the page in their order

	Forbidden bool // the whole page is nofollow; Links is empty
	Nofollow  int  // links left out because of REL=nofollow
	Scheme    int  // left out: neither http nor https
	Bad       int  // left out: not a URL, or over a limit of package canon
	Over      int  // left out: more than Options.Max
	Known     int  // left out: the page First has them too
}

// A Finder finds the links of pages, one page at a time. It reuses its memory for the next page. It
// is not safe for concurrent use.
type Finder struct {
	scanner  scanner
	resolver resolver
}

// NewFinder returns a Finder for the links that opt selects.
func NewFinder(opt Options) *Finder {
	return &Finder{scanner: scanner{opt: opt}, resolver: resolver{obey: opt.Obey}}
}

// Find returns the links of an HTML page. They are valid until the next call of Find.
func (f *Finder) Find(p Page) (Result, error) {
	document, err := canon.NewBase(p.URL)
	if err != nil {
		return Result{}, err
	}
	contentType := p.Header.ContentType()
	text, queries := toUTF8(p.Body, contentType)
	s := &f.scanner
	s.reset()
	directives.InHead(p.Header, s.agents(), s.forbids)
	s.header(p.Header)
	s.html(text, media.IsXML(contentType))
	if s.forbidden && s.opt.Obey {
		return Result{Forbidden: true}, nil
	}
	r := &f.resolver
	r.reset(p.URL, newBases(document, s.base), queries, len(s.refs))
	if p.First != "" {
		first, err := canon.NewBase(p.First)
		if err != nil {
			return Result{}, err
		}
		r.first = newBases(first, s.base)
	}
	r.result.Over = s.over
	for i := range s.refs {
		ref := &s.refs[i]
		r.add(ref, s.raws[ref.from:ref.to])
	}
	return r.result, nil
}

// Redirect returns the target of a redirect. ok is false if the redirect has no target that is a
// link.
func Redirect(url string, header httphead.Fields) (to string, ok bool) {
	location := header.Get("Location")
	if location == "" {
		return "", false
	}
	to, err := canon.Resolve(url, location)
	return to, err == nil && to != url
}

// maxKept is the largest capacity of a buffer, in elements, that is kept for the next page. It is
// enough for all but the largest pages.
const maxKept = 1 << 20

// reusable returns buf emptied, or nil if a large page has made it large.
func reusable(buf []byte) []byte {
	if cap(buf) > maxKept {
		return nil
	}
	return buf[:0]
}
