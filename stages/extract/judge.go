package main

import (
	"slices"
	"strconv"
	"strings"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/web/canon"
)

// judge writes what an answer was worth, if that is wanted; reason is why the answer ended here.
func (x *extractor) judge(a *warc.Answer, reason string) error {
	if x.judged == nil {
		return nil
	}
	page := a.Record()
	worth, ok := x.worth(page, reason)
	if !ok || page.Has(urlbatch.Copy) || page.Int(urlbatch.Visit) > 0 {
		return nil
	}
	url, err := canon.Parse(page.URL())
	if err != nil {
		return nil // bad-url
	}
	rec := urlbatch.New(url)
	rec.Set(urlbatch.Worth, worth)
	for _, key := range []string{urlbatch.Depth, urlbatch.Via, urlbatch.Anchor, urlbatch.Parent} {
		if value, ok := page.Get(key); ok {
			rec.Set(key, value)
		}
	}
	return x.judged.Write(rec)
}

// worth says what an answer was worth; ok is false if it is not judged.
func (x *extractor) worth(page *urlbatch.Record, reason string) (worth string, ok bool) {
	switch reason {
	case reasonNotModified, reasonSitemap, reasonNotSitemap, reasonBadURL:
		return "", false
	case reasonExtracted, reasonNofollow, reasonNotHTML, reasonEncoding:
		if near, ok := page.Get(urlbatch.Near); ok && near != page.URL() {
			return "0", true
		}
		return x.wantedness(page), true
	}
	if page.Has(urlbatch.Worth) {
		return x.wantedness(page), true
	}
	return "0", true
}

// anyLabel among the labels wanted stands for all labels.
const anyLabel = "*"

// wantedness is what a page with a body of its own is worth.
func (x *extractor) wantedness(page *urlbatch.Record) string {
	if page.Has(urlbatch.Worth) {
		return short(page.Share(urlbatch.Worth))
	}
	if len(x.wanted) == 0 {
		return "1"
	}
	if label, _ := page.Get(urlbatch.Label); slices.Contains(x.wanted, label) || slices.Contains(x.wanted, anyLabel) {
		return short(page.Share(urlbatch.Sure))
	}
	return "0"
}

// linkScore is what the links of a page are expected to be worth.
func (x *extractor) linkScore(page *urlbatch.Record) string {
	//failpoint:links-ignored page.Del(urlbatch.Links)
	if page.Has(urlbatch.Links) {
		return short(page.Share(urlbatch.Links))
	}
	return x.wantedness(page)
}

// parent is what links say of a page as parent=; "": nothing, for it is worth 1.
func (x *extractor) parent(page *urlbatch.Record) string {
	if worth := x.wantedness(page); worth != "1" {
		return worth
	}
	return ""
}

// short formats a number from 0 to 1 with at most two digits: it is in the record of each link.
func short(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
