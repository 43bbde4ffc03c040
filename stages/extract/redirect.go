package main

import (
	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
)

// redirect writes the target of a 3xx. A chain of redirects ends because the URL carries their
// number. A loop ends at filter, which has seen the URLs.
func (x *extractor) redirect(from origin, h *warc.HTTP) (string, error) {
	to, ok := links.Redirect(from.url, h.Header)
	if !ok {
		return statusReason(h.Status), nil
	}
	n := max(from.record.Int(urlbatch.Redirects), 0) + 1
	if n > x.maxRedirects {
		return reasonRedirectLimit, nil
	}
	if !x.options.Kinds.Has(links.Location) {
		return reasonRedirect, nil
	}
	if from.worth = ""; x.judged != nil && from.record.Has(urlbatch.Parent) {
		from.worth = short(from.record.Share(urlbatch.Parent)) // the page that led here holds the link
	}
	if from.score = ""; x.score && from.record.Has(urlbatch.Score) {
		from.score = short(from.record.Share(urlbatch.Score))
	}
	rec := from.link(to)
	rec.SetInt(urlbatch.Redirects, n)
	if rel, ok := from.record.Get(urlbatch.Rel); ok {
		rec.Set(urlbatch.Rel, rel) // the target of a moved sitemap is a sitemap
	}
	return reasonRedirect, x.out.Write(rec)
}
