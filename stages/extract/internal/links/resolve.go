package links

import (
	"bytes"
	"errors"

	"multitext/stages/internal/web/canon"
)

// resolver makes links of refs.
type resolver struct {
	obey    bool
	bases         // of the page
	first   bases // of the page that has given its links already; none without one
	queries queryEncoder
	urls    []byte              // of the links; the piece of memory that is being filled
	seen    map[string]struct{} // URLs of the page
	result  Result
}

// bases are what the refs of a page are relative to.
type bases struct{ document, base *canon.Base }

// newBases takes the HREF of the page's BASE, nil without one. A BASE that is no URL is none.
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

// of gives what a ref is relative to.
func (b bases) of(ref *ref) *canon.Base {
	if ref.kind == Base || ref.kind == Header {
		return b.document
	}
	return b.base
}

// pieceSize is what is taken of memory at once for URLs: enough for those of most pages.
// maxAppended is what one may take, before it is found to be too long.
const (
	pieceSize   = 256 << 10
	maxAppended = 4 * canon.MaxLength
)

// maxSeen is for how many URLs a set is used again: to empty a larger one costs more than a new
// one.
const maxSeen = 1000

// reset makes the resolver ready for n refs of the page at url.
func (r *resolver) reset(url string, page bases, queries queryEncoder, n int) {
	r.bases, r.first, r.queries = page, bases{}, queries
	clear(r.result.Links)
	r.result = Result{Links: r.result.Links[:0]}
	if r.seen == nil || len(r.seen) > maxSeen {
		r.seen = make(map[string]struct{}, n+1)
	}
	clear(r.seen)
	r.urls = append(r.urls[:0], url...)
	r.seen[url] = struct{}{} // no link leads to the page itself
}

// gave tells whether a ref, escaped, leads from the first page to url as well.
func (r *resolver) gave(ref *ref, escaped, url []byte) bool {
	if r.first.document == nil {
		return false
	}
	same, err := r.first.of(ref).Append(nil, escaped)
	return err == nil && bytes.Equal(same, url)
}

// add adds the link of a ref, which stands on the page as raw.
func (r *resolver) add(ref *ref, raw []byte) {
	base := r.of(ref)
	if base == r.document && isPlace(raw) {
		return // it would be found to lead to the page itself
	}
	if cap(r.urls)-len(r.urls) < maxAppended {
		r.urls = make([]byte, 0, pieceSize) // links keep the piece that is full
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

// isPlace tells whether a ref names but a place on its page, and is not so long that canon may
// refuse it.
func isPlace(raw []byte) bool { return 0 < len(raw) && len(raw) < maxPlace && raw[0] == '#' }

// maxPlace is more than nearly all names of places have, and far below what canon refuses.
const maxPlace = 128

func (r *resolver) countError(err error) {
	if errors.Is(err, canon.ErrScheme) {
		r.result.Scheme++
	} else {
		r.result.Bad++
	}
}
