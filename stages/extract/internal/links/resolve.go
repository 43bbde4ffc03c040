package links

import (
	"bytes"
	"errors"

	"multitext/stages/internal/web/canon"
)

// resolver turns refs into links.
type resolver struct {
	obey    bool
	bases         // bases of the page
	first   bases // bases of the page First, if there is one
	queries queryEncoder
	urls    []byte              // URLs of the links; the buffer being filled
	seen    map[string]struct{} // URLs found on the page so far
	result  Result
}

// bases are the URLs to which the refs of a page are relative.
type bases struct{ document, base *canon.Base }

// newBases returns the bases of document. href is the HREF of its BASE, or nil. An HREF that is not
// a URL is ignored.
func newBases(document *canon.Base, href []byte) bases {
	b := bases{document, document}
	if href == nil {
		return b
	}
	if url, err := document.Resolve(string(href)); err == nil {
		b.base, _ = canon.NewBase(url)
	}
	return b
}

// of returns the URL to which ref is relative.
func (b bases) of(ref *ref) *canon.Base {
	if ref.kind == Base || ref.kind == Header {
		return b.document
	}
	return b.base
}

// pieceSize is the size of a buffer for URLs; it is enough for most pages. maxAppended is the room
// that one URL may need before it is found to be too long.
const (
	pieceSize   = 256 << 10
	maxAppended = 4 * canon.MaxLength
)

// maxSeen is the largest size of a set that is reused. Emptying a larger set takes longer than
// making a new one.
const maxSeen = 1000

// reset prepares the resolver for n refs of the page at url.
func (r *resolver) reset(url string, page bases, queries queryEncoder, n int) {
	r.bases, r.first, r.queries = page, bases{}, queries
	clear(r.result.Links)
	r.result = Result{Links: r.result.Links[:0]}
	if r.seen == nil || len(r.seen) > maxSeen {
		r.seen = make(map[string]struct{}, n+1)
	}
	clear(r.seen)
	r.urls = append(r.urls[:0], url...)
	r.seen[url] = struct{}{} // leaves out links to the page itself
}

// gave reports whether a ref, escaped, leads to url on the page First, too.
func (r *resolver) gave(ref *ref, escaped, url []byte) bool {
	if r.first.document == nil {
		return false
	}
	same, err := r.first.of(ref).Append(nil, escaped)
	return err == nil && bytes.Equal(same, url)
}

// add adds the link of a ref. raw is its text on the page.
func (r *resolver) add(ref *ref, raw []byte) {
	base := r.of(ref)
	if base == r.document && isPlace(raw) {
		return // a link to the page itself
	}
	if cap(r.urls)-len(r.urls) < maxAppended {
		r.urls = make([]byte, 0, pieceSize) // the links found so far keep the full buffer
	}
	start := len(r.urls)
	escaped := r.queries.escape(raw)
	urls, err := base.Append(r.urls, escaped)
	if err != nil {
		r.countError(err)
		return
	}
	url := urls[start:len(urls):len(urls)]
	switch _, seen := r.seen[string(url)]; {
	case seen:
	case ref.nofollow && r.obey:
		r.result.Nofollow++
	case r.gave(ref, escaped, url):
		r.seen[string(url)] = struct{}{}
		r.urls = urls
		r.result.Known++
	default:
		r.seen[string(url)] = struct{}{}
		r.urls = urls
		r.result.Links = append(r.result.Links, Link{URL: url, Kind: ref.kind, Anchor: ref.anchor})
	}
}

// isPlace reports whether a ref names only a place on its own page, and is too short for canon to
// refuse it.
func isPlace(raw []byte) bool { return 0 < len(raw) && len(raw) < maxPlace && raw[0] == '#' }

// maxPlace is longer than nearly all names of places, and far shorter than anything that canon
// refuses.
const maxPlace = 128

func (r *resolver) countError(err error) {
	if errors.Is(err, canon.ErrScheme) {
		r.result.Scheme++
	} else {
		r.result.Bad++
	}
}
