package links

import (
	"errors"

	"multitext/stages/internal/canon"
	"multitext/stages/internal/warc"
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
	URL    string      // canonical
	Header warc.Fields // of the answer
	Body   []byte      // without transfer and content encoding; changed by nobody
}

// A Link leads from a page to another URL.
type Link struct {
	URL    string // canonical
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
}

// Find gives the links of an HTML page.
func Find(p Page, opt Options) (Result, error) {
	document, err := canon.NewBase(p.URL)
	if err != nil {
		return Result{}, err
	}
	text, queryEncoding := toUTF8(p.Body, p.Header.Get("Content-Type"))
	s := newScanner(opt)
	s.forbidden = forbiddenByHeader(p.Header, opt.Agent)
	s.header(p.Header)
	s.html(text)
	if s.forbidden && opt.Obey {
		return Result{Forbidden: true}, nil
	}
	r := resolver{
		opt:      opt,
		document: document,
		base:     document,
		query:    queryEncoding,
		seen:     map[string]bool{p.URL: true},
	}
	if b, err := document.Resolve(s.base); err == nil && s.hasBase {
		r.base, _ = canon.NewBase(b)
	}
	r.result.Over = s.over
	for _, ref := range s.refs {
		r.add(ref)
	}
	return r.result, nil
}

// Redirect gives the place a redirect leads to. ok is false when it has none that is a link.
func Redirect(url string, header warc.Fields) (to Link, ok bool) {
	location := header.Get("Location")
	if location == "" {
		return Link{}, false
	}
	target, err := canon.Resolve(url, location)
	return Link{URL: target, Kind: Location}, err == nil && target != url
}

// A ref is a link as it stands on the page.
type ref struct {
	kind     Kind
	raw      string
	anchor   string
	nofollow bool
}

// resolver makes links of refs.
type resolver struct {
	opt            Options
	document, base *canon.Base
	query          queryEncoder
	seen           map[string]bool
	result         Result
}

func (r *resolver) add(ref ref) {
	base := r.base
	if ref.kind == Base || ref.kind == Header {
		base = r.document
	}
	url, err := base.Resolve(r.query.escape(ref.raw))
	switch {
	case errors.Is(err, canon.ErrScheme):
		r.result.Scheme++
	case err != nil:
		r.result.Bad++
	case r.seen[url]:
	case ref.nofollow && r.opt.Obey:
		r.result.Nofollow++
	default:
		r.seen[url] = true
		r.result.Links = append(r.result.Links, Link{URL: url, Kind: ref.kind, Anchor: ref.anchor})
	}
}
