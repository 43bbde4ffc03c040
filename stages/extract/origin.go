package main

import (
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// An origin is an answer as what it holds inherits from it.
type origin struct {
	url    string // canonical
	record *urlbatch.Record
}

// maxDepth is as deep as is told. Pages may come from other crawlers, and a depth that is negative,
// or made so by one more, would be below every bound for ever.
const maxDepth = 1 << 30

// link makes the record of a link to a URL.
func (o origin) link(to string) *urlbatch.Record {
	rec := urlbatch.New(to)
	o.inherit(rec)
	return rec
}

// inherit gives rec the attributes that all links of the answer have.
func (o origin) inherit(rec *urlbatch.Record) {
	rec.SetInt(urlbatch.Depth, min(max(o.record.Int(urlbatch.Depth), 0), maxDepth-1)+1)
	rec.Set(urlbatch.Via, o.url)
	if owner, _ := o.record.Get(urlbatch.Owner); owner != "" {
		rec.Set(urlbatch.Owner, owner)
	}
}

// isSitemap tells whether the URL was asked for as a list of others.
func (o origin) isSitemap() bool {
	rel, _ := o.record.Get(urlbatch.Rel)
	return rel == urlbatch.Sitemap
}

// first gives the URL of an earlier page with the answer's head and body, "" where it carries none.
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
