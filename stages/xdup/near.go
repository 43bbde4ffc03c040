package main

import (
	"encoding/binary"
	"errors"
	"strings"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/web/charset"
	"multitext/stages/internal/web/media"
	"multitext/stages/internal/web/near"
)

// maxPage is the number of decompressed bytes of a page that are read to compare its text.
const maxPage = 2 << 20

// A likeness finds texts that differ little from an earlier text.
type likeness struct {
	least    int // number of super-shingles that two texts must share
	sketcher *near.Sketcher
	known    *segment.Set
	fresh    map[uint64]uint64        // super-shingles that are new in this run, with the key of their body
	pages    map[uint64]warc.Original // bodies of this run by their keys
}

// likeFirst writes an answer with a new body. If the text is like an earlier text, it sets the
// attribute near. Only texts that are like no other are remembered, because a copy of a copy may be
// unlike the first.
func (x *deduper) likeFirst(d digest, first warc.Original, a *warc.Answer) error {
	sketch, ok, err := x.like.sketch(a)
	if err != nil {
		return err
	}
	if !ok {
		x.rep.Count("near-not-judged", 1)
		return x.unique.Write(a.Packed())
	}
	of, found, err := x.like.find(sketch)
	if err != nil {
		return err
	}
	if !found {
		if !first.Date.IsZero() {
			x.like.add(sketch, d.key(), first)
		}
		return x.unique.Write(a.Packed())
	}
	marked, err := x.encoder.WithAttribute(a, urlbatch.Near, of.URL)
	if err != nil {
		return err
	}
	if of.URL == first.URL { // a later version of the page
		x.rep.Count("near-itself", 1)
		return x.unique.Write(marked)
	}
	x.rep.Count("near-duplicates", 1)
	if kept, ok := x.fresh[d]; ok && x.copied != nil && x.similar != x.unique {
		kept.reading = readingAside
		x.fresh[d] = kept
	}
	return x.similar.Write(marked)
}

// sketch returns the sketch of an answer's text. ok is false if there is not enough text.
func (l *likeness) sketch(a *warc.Answer) (sketch near.Sketch, ok bool, err error) {
	h, err := a.HTTP()
	if err != nil {
		return sketch, false, err // the judge has read the page
	}
	contentType := h.Header.ContentType()
	html := media.IsHTML(contentType)
	if !html && !strings.HasPrefix(media.Type(contentType), "text/") {
		return sketch, false, nil
	}
	body, _, err := a.Body(maxPage)
	if errors.Is(err, coding.ErrUnknown) {
		return sketch, false, nil
	}
	if err != nil {
		return sketch, false, err
	}
	body, _, _ = charset.UTF8(body, contentType)
	if html {
		sketch, ok = l.sketcher.HTML(body)
	} else {
		sketch, ok = l.sketcher.Text(body)
	}
	return sketch, ok, nil
}

// find returns the body that shares the most super-shingles with the sketch, if it shares enough.
func (l *likeness) find(sketch near.Sketch) (of warc.Original, found bool, err error) {
	shared := map[uint64]int{}
	most := uint64(0)
	for _, key := range sketch {
		page, ok, err := l.owner(key)
		if err != nil {
			return of, false, err
		}
		if !ok {
			continue
		}
		if shared[page]++; shared[page] > shared[most] {
			most = page
		}
	}
	if shared[most] < l.least {
		return of, false, nil
	}
	return l.original(most)
}

// owner returns the key of the first body with this super-shingle.
func (l *likeness) owner(key uint64) (page uint64, ok bool, err error) {
	if page, ok := l.fresh[key]; ok {
		return page, true, nil
	}
	value, ok, err := l.known.Get(key)
	if err != nil || !ok {
		return 0, false, err
	}
	if !isNear(value) {
		return 0, false, nil
	}
	return binary.BigEndian.Uint64(value[1:]), true, nil
}

// original returns the first copy of the body with key page.
func (l *likeness) original(page uint64) (of warc.Original, found bool, err error) {
	if of, ok := l.pages[page]; ok {
		return of, true, nil
	}
	value, ok, err := l.known.Get(page)
	if err != nil || !ok {
		return of, false, err
	}
	if body, err := isBody(value); !body {
		return of, false, err
	}
	return originalOf(value).Original, true, nil
}

// add remembers the super-shingles of a text. A super-shingle that an earlier text has stays
// assigned to that text.
func (l *likeness) add(sketch near.Sketch, page uint64, first warc.Original) {
	l.pages[page] = first
	for _, key := range sketch {
		if _, ok, err := l.owner(key); err == nil && !ok {
			l.fresh[key] = page
		}
	}
}
