package main

import (
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// An origin is the URL and record of an answer, from which links inherit attributes.
type origin struct {
	url    string // canonical
	record *urlbatch.Record
	worth  string // what the links say of it as parent=; "": nothing
	score  string // what the links have as score=; "": nothing
}

// maxDepth is the largest depth that is written. Pages may come from other crawlers. A depth that
// is negative, or that overflows when one is added, would stay below every limit for ever.
const maxDepth = 1 << 30

// link returns the record of a link to a URL.
func (o origin) link(to string) *urlbatch.Record {
	rec := urlbatch.New(to)
	o.inherit(rec)
	return rec
}

// inherit sets the attributes of rec that all links of the answer share.
func (o origin) inherit(rec *urlbatch.Record) {
	rec.SetInt(urlbatch.Depth, min(max(o.record.Int(urlbatch.Depth), 0), maxDepth-1)+1)
	rec.Set(urlbatch.Via, o.url)
	if owner, _ := o.record.Get(urlbatch.Owner); owner != "" {
		rec.Set(urlbatch.Owner, owner)
	}
	if o.worth != "" {
		rec.Set(urlbatch.Parent, o.worth)
	}
	if o.score != "" {
		rec.Set(urlbatch.Score, o.score)
	}
}

// isSitemap reports whether the URL was requested as a sitemap.
func (o origin) isSitemap() bool {
	rel, _ := o.record.Get(urlbatch.Rel)
	return rel == urlbatch.Sitemap
}

// first returns the URL of an earlier page with the same head and body, or "" if the answer carries
// none.
func (o origin) first() string {
	raw, ok := o.record.Get(urlbatch.Copy)
	if !ok {
		return ""
	}
	url, err := canon.Parse(raw)
	if err != nil {
		return ""
	}
	return url
}
