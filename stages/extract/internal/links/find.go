package links

import (
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/httphead"
	"multitext/stages/internal/web/media"
)

// Options say which links are wanted.
type Options struct {
	Kinds   Set
	Agent   string // the crawler's name in META and X-Robots-Tag, in lower case; "" if it has none
	Obey    bool   // nofollow, of pages and of links
	Anchors bool   // keep the text of links
	Max     int    // links a page, and counted before repeats are dropped
}

// A Page is a document and what HTTP said of it.
type Page struct {
	URL    string          // canonical
	Header httphead.Fields // of the answer
	Body   []byte          // without transfer and content encoding; changed by nobody

	// First is the canonical URL of a page with this head and body whose links were taken, or "".
	First string
}

// A Link leads from a page to another URL.
type Link struct {
	URL    []byte // canonical
	Kind   Kind
	Anchor string // its text: blanks run together, at most MaxAnchor bytes; "" unless asked for
}

// Result is what a page holds.
type Result struct {
	Links []Link // each URL once, in the order of the page, those of the HTTP head first

	Forbidden bool // nofollow for the whole page: there are no Links
	Nofollow  int  // links left out for REL=nofollow
	Scheme    int  // left out: neither http nor https
	Bad       int  // left out: no URL, or beyond the bounds of package canon
	Over      int  // left out: more than Options.Max
	Known     int  // left out: the first page has given them
}

// A Finder finds the links of one page after the other. It keeps its memory from one to the next;
// it is for one goroutine.
type Finder struct {
	scanner  scanner
	resolver resolver
}

// NewFinder returns a Finder of the links that opt wants.
func NewFinder(opt Options) *Finder {
	return &Finder{scanner: scanner{opt: opt}, resolver: resolver{obey: opt.Obey}}
}

// Find gives the links of an HTML page. They are valid until the next Find.
func (f *Finder) Find(p Page) (Result, error) {
	document, err := canon.NewBase(p.URL)
	if err != nil {
		return Result{}, err
	}
	contentType := p.Header.ContentType()
	text, queries := toUTF8(p.Body, contentType)
	s := &f.scanner
	s.reset()
	s.forbidden = forbiddenByHeader(p.Header, s.opt.Agent)
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

// Redirect gives the place a redirect leads to. ok is false when it has none that is a link.
func Redirect(url string, header httphead.Fields) (to string, ok bool) {
	location := header.Get("Location")
	if location == "" {
		return "", false
	}
	to, err := canon.Resolve(url, location)
	return to, err == nil && to != url
}

// maxKept is how much of a buffer is kept from one page to the next, in its elements: room for all
// but the largest pages.
const maxKept = 1 << 20

// reusable empties a buffer, or drops one that a large page has made large.
func reusable(buf []byte) []byte {
	if cap(buf) > maxKept {
		return nil
	}
	return buf[:0]
}
