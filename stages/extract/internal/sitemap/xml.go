package sitemap

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"

	"multitext/stages/internal/web/canon"
)

// places are the paths of element names, from the root, at which each XML format has its entries.
var places = map[string]struct{ isList, inHref, isGUID bool }{
	"urlset/url/loc":           {},
	"sitemapindex/sitemap/loc": {isList: true},
	"rss/channel/item/link":    {},
	"rss/channel/item/guid":    {isGUID: true},
	"RDF/item/link":            {},
	"feed/entry/link":          {inHref: true},
}

// roots maps the first name of each place to whether it is the root of a feed.
var roots = map[string]bool{"urlset": false, "sitemapindex": false, "rss": true, "RDF": true, "feed": true}

// entries are elements that are never nested: the start of one ends the one before.
var entries = map[string]bool{"url": true, "sitemap": true, "item": true, "entry": true}

// deepest is the maximum number of names in a place. Names of deeper elements are not needed.
const deepest = 4

// An xmlReader reads the tokens of a document.
type xmlReader struct {
	*list
	path   [deepest]xml.Name // the open elements
	depth  int
	inText bool // inside the text of an entry
	text   []byte
}

func (l *list) xml(body []byte) error {
	in := tokenReader{Reader: bytes.NewReader(body)}
	d := xml.NewDecoder(&in)
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 already
	r := xmlReader{list: l}
	for {
		// With raw tokens the decoder keeps no stack of open elements, of which there might be
		// millions.
		in.left = maxToken
		token, err := d.RawToken()
		if err == nil {
			err = r.token(token)
		}
		switch {
		case err != nil && r.path[0].Local == "":
			return ErrNone // not even the root was read
		case err == io.EOF:
			l.Cut = r.depth > 0
			return nil
		case err != nil:
			l.Cut = true
			return nil
		}
	}
}

// maxToken is the maximum size of a token in bytes. The parsed attributes of a tag take many times
// that.
const maxToken = 1 << 20

var errLongToken = errors.New("an XML token is too long")

// A tokenReader reads a document, but at most left bytes of it.
type tokenReader struct {
	*bytes.Reader
	left int
}

func (r *tokenReader) ReadByte() (byte, error) {
	if r.left == 0 {
		return 0, errLongToken
	}
	r.left--
	return r.Reader.ReadByte()
}

func (r *xmlReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		return r.start(t)
	case xml.CharData:
		if r.inText && len(r.text) <= canon.MaxLength {
			r.text = append(r.text, t[:min(len(t), canon.MaxLength+1)]...)
		}
	case xml.EndElement:
		// A guid is usually a URL, but may be anything.
		if place := places[r.place()]; r.inText && (!place.isGUID || isAbsolute(bytes.TrimSpace(r.text))) {
			r.add(string(r.text), place.isList)
		}
		r.inText = false
		r.depth = max(r.depth-1, 0)
	}
	return nil
}

func (r *xmlReader) start(t xml.StartElement) error {
	if r.depth == 0 {
		feed, ok := roots[t.Name.Local]
		if !ok {
			return ErrNone
		}
		r.Feed = feed
	}
	if r.depth > 0 && r.depth <= deepest && entries[t.Name.Local] && r.path[r.depth-1] == t.Name {
		r.depth--
	}
	if r.depth < deepest {
		r.path[r.depth] = t.Name
	}
	r.depth++
	place, known := places[r.place()]
	if !known {
		r.inText = false
		return nil
	}
	if place.inHref {
		r.href(t.Attr)
		return nil
	}
	if place.isGUID && slices.ContainsFunc(t.Attr, func(a xml.Attr) bool {
		return a.Name.Local == "isPermaLink" &&
			a.Value == "false"
	}) {
		r.inText = false
		return nil
	}
	r.inText, r.text = true, r.text[:0]
	return nil
}

// place returns the names of the open elements, or "" if there are too many. All names of a place
// have the same namespace, so the loc of an image does not count as a loc.
func (r *xmlReader) place() string {
	if r.depth == 0 || r.depth > deepest {
		return ""
	}
	last := r.path[r.depth-1]
	place := r.path[0].Local
	for _, name := range r.path[1:r.depth] {
		place += "/" + name.Local
	}
	if last.Space != r.path[0].Space && r.path[0].Local != "RDF" {
		return ""
	}
	return place
}

// href reads the LINK of an Atom entry.
func (r *xmlReader) href(attrs []xml.Attr) {
	href, rel := "", "alternate"
	for _, a := range attrs {
		switch a.Name.Local {
		case "href":
			href = a.Value
		case "rel":
			rel = a.Value
		}
	}
	if href != "" && rel == "alternate" {
		r.add(href[:min(len(href), canon.MaxLength+1)], false)
	}
}
