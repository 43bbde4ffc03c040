package main

import (
	"net/http"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/traffic/exchange"
)

// The attributes etag=, modified= and date= of a URL make its request conditional (RFC 9110,
// section 13). Their values come from a server's answer at the last capture, so they are checked
// before they are sent.

// Maximum sizes of values that are sent, in bytes.
const (
	maxETag     = 1024
	maxModified = 64
)

// validators returns the values from the last capture to send in a request for rec. A value is ""
// if rec does not have it or it must not be sent.
func validators(rec *urlbatch.Record) (etag, modified string) {
	etag, _ = rec.Get(urlbatch.ETag)
	// Many servers send an ETag without quotes, and recognize it only without quotes.
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

// unchanged returns the capture since which the page of v has not changed, or nil if the answer
// does not say that it is unchanged.
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
