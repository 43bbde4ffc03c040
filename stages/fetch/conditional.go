package main

import (
	"net/http"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/traffic/exchange"
)

// The attributes etag=, modified= and date= of a URL make its request conditional (RFC 9110,
// section 13). They are what some server said at the last capture, so each is looked at before it
// is said again.

// Bounds of what is said again, in bytes.
const (
	maxETag     = 1024
	maxModified = 64
)

// validators gives what a request for rec says of the last capture, "" for what rec does not know,
// or what no server should be told.
func validators(rec *urlbatch.Record) (etag, modified string) {
	etag, _ = rec.Get(urlbatch.ETag)
	// Many servers send an ETag without quotes, and know it again only so.
	if len(etag) > maxETag || !exchange.Printable(etag) {
		etag = ""
	}
	modified, _ = rec.Get(urlbatch.Modified)
	if modified == "" {
		return etag, ""
	}
	if _, err := http.ParseTime(modified); err != nil || len(modified) > maxModified || !exchange.Printable(modified) {
		modified = ""
	}
	return etag, modified
}

// unchanged gives the capture that v's page has not changed since, nil if the answer does not say
// so.
func unchanged(v *target, a *exchange.Answer) *warc.Original {
	if a.Status != http.StatusNotModified {
		return nil
	}
	if etag, modified := validators(v.rec); etag == "" && modified == "" {
		return nil
	}
	date, _ := v.rec.Get(urlbatch.Date)
	t, err := time.Parse(time.RFC3339, date)
	if err != nil {
		t = time.Time{}
	}
	return &warc.Original{URL: v.url, Date: t}
}
