package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"multitext/stages/extract/internal/sitemap"
	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// sitemap writes the entries of a list of URLs. Entries that are lists themselves get rel=sitemap.
// Without rel=sitemap, only feeds are read as lists.
func (x *extractor) sitemap(a *warc.Answer, from origin) (string, error) {
	body, whole, err := a.Body(sitemap.MaxSize)
	if err == nil && bytes.HasPrefix(body, []byte("\x1f\x8b")) {
		// A .gz file; this is not a content coding.
		var complete bool
		body, complete, err = new(coding.Undoer).Undo(body, []string{"gzip"}, sitemap.MaxSize)
		whole = whole && complete
	}
	if errors.Is(err, coding.ErrUnknown) {
		return reasonEncoding, nil
	}
	if err != nil {
		return "", err
	}
	list, err := sitemap.Read(from.url, body, whole)
	none := errors.Is(err, sitemap.ErrNone)
	switch {
	case !from.isSitemap() && (none || !list.Feed):
		return reasonNotHTML, nil
	case none:
		return reasonNotSitemap, nil
	}
	if err != nil {
		return "", fmt.Errorf("read sitemap %s: %w", from.url, err)
	}
	if list.Cut {
		x.rep.Count("cut-sitemaps", 1)
	}
	x.count("bad-links", list.Bad)
	x.count("links-over-limit", list.Over)
	if first := from.first(); first != "" {
		given, err := sitemap.Read(first, body, whole)
		if err != nil {
			return "", fmt.Errorf("read sitemap %s as %s: %w", from.url, first, err)
		}
		list.Entries = otherEntries(list.Entries, given.Entries)
	}
	x.count("sitemap-links", len(list.Entries))
	return reasonSitemap, x.entries(from, list.Entries)
}

// otherEntries returns the entries that are not in given.
func otherEntries(entries, given []sitemap.Entry) []sitemap.Entry {
	known := make(map[sitemap.Entry]bool, len(given))
	for _, e := range given {
		known[e] = true
	}
	return slices.DeleteFunc(entries, func(e sitemap.Entry) bool { return known[e] })
}

func (x *extractor) entries(from origin, entries []sitemap.Entry) error {
	inherited := x.inherited(from)
	for _, e := range entries {
		rec := &x.rec
		rec.Reset([]byte(e.URL))
		rec.Append(inherited)
		rec.Set(urlbatch.Rel, urlbatch.Listed)
		if e.Sitemap {
			rec.Set(urlbatch.Rel, urlbatch.Sitemap)
		}
		if err := x.out.Write(rec); err != nil {
			return err
		}
	}
	return nil
}
