package main

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/canon"
	"multitext/stages/internal/coding"
	"multitext/stages/internal/media"
	"multitext/stages/internal/report"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
	"multitext/stages/internal/warc"
)

// Reasons for which answers leave the flow; status-Nxx and those of other packages come on top.
const (
	reasonExtracted     = "extracted"
	reasonNofollow      = "nofollow"
	reasonRedirect      = "redirect"
	reasonRedirectLimit = "redirect-limit"
	reasonRevisit       = "revisit"
	reasonNotModified   = "not-modified"
	reasonSitemap       = "sitemap"
	reasonNotSitemap    = "not-sitemap"
	reasonNotHTML       = "not-html"
	reasonNotHTTP       = "not-http"
	reasonEncoding      = "encoding"
	reasonBadURL        = "bad-url"
)

// extract is the whole run.
func extract(ctx context.Context, env *stage.Env, c config) error {
	x := &extractor{
		config: c,
		rep:    env.Report,
		out:    urlbatch.NewWriter(env.Files, c.out, env.Report.Made),
		finder: links.NewFinder(c.options),
	}
	err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, func(_ *warc.Reader, a *warc.Answer) error {
		reason, err := x.answer(a)
		if err == nil {
			env.Report.Reason(reason, 1)
		}
		return err
	})
	if err != nil {
		return err
	}
	return x.out.Close()
}

type extractor struct {
	config
	rep    *report.Report
	out    *urlbatch.Writer
	finder *links.Finder
	rec    urlbatch.Record // the link that is being written
}

// answer writes the links of one answer and gives the reason under which it leaves. What is wrong
// with the answer is a reason; an error is one of the file or of writing.
func (x *extractor) answer(a *warc.Answer) (reason string, err error) {
	switch {
	case a.NotModified():
		return reasonNotModified, nil
	case a.Revisit():
		return reasonRevisit, nil
	}
	var damage *warc.DamageError
	h, err := a.HTTP()
	if errors.As(err, &damage) {
		return "", err
	}
	if err != nil {
		return reasonNotHTTP, nil
	}
	url, err := canon.Parse(a.URL())
	if err != nil {
		return reasonBadURL, nil
	}
	switch {
	case h.Status/100 == 3:
		return x.redirect(a, url, h)
	case h.Status/100 != 2:
		return statusReason(h.Status), nil
	case isSitemap(a):
		return x.sitemap(a, url)
	}
	return x.page(a, url, h)
}

func statusReason(status int) string { return fmt.Sprintf("status-%dxx", status/100) }

func (x *extractor) page(a *warc.Answer, url string, h *warc.HTTP) (string, error) {
	contentType := h.Header.Get("Content-Type")
	if media.Declared(contentType) && !media.IsHTML(contentType) {
		return reasonNotHTML, nil // without inflating the body
	}
	body, whole, err := a.Body(x.maxPage)
	if errors.Is(err, coding.ErrUnknown) {
		return reasonEncoding, nil
	}
	if err != nil {
		return "", err
	}
	if !media.Declared(contentType) && !media.LooksHTML(body) {
		return reasonNotHTML, nil
	}
	if !whole {
		x.rep.Count("cut-pages", 1)
	}
	found, err := x.finder.Find(links.Page{URL: url, Header: h.Header, Body: body})
	if err != nil {
		return "", fmt.Errorf("find links of %s: %w", url, err)
	}
	if found.Forbidden {
		return reasonNofollow, nil
	}
	x.countLeft(found)
	return reasonExtracted, x.write(a, url, found.Links)
}

// countLeft adds what was left out of a page to the report.
func (x *extractor) countLeft(found links.Result) {
	x.count("nofollow-links", found.Nofollow)
	x.count("other-scheme-links", found.Scheme)
	x.count("bad-links", found.Bad)
	x.count("links-over-limit", found.Over)
}

func (x *extractor) count(name string, n int) {
	if n > 0 {
		x.rep.Count(name, int64(n))
	}
}

// write writes the links of the page at url, which a holds.
func (x *extractor) write(a *warc.Answer, url string, found []links.Link) error {
	if len(found) == 0 {
		return nil
	}
	inherited := originOf(a, url).link(url).Attrs()
	for _, l := range found {
		x.rec.Reset(l.URL)
		x.rec.Append(inherited)
		if l.Anchor != "" {
			x.rec.Set(urlbatch.Anchor, l.Anchor)
		}
		if err := x.out.Write(&x.rec); err != nil {
			return err
		}
	}
	return nil
}

// An origin is what a link inherits.
type origin struct {
	depth int64
	url   string
	owner string // of the page, "" if it says none
}

// maxDepth is as deep as is told. Pages may come from other crawlers, and a depth that is negative, or made so by one
// more, would be below every bound for ever.
const maxDepth = 1 << 30

// originOf gives the origin of the links in a, which is the answer of url.
func originOf(a *warc.Answer, url string) origin {
	rec := a.Record()
	owner, _ := rec.Get(urlbatch.Owner)
	depth := min(max(rec.Int(urlbatch.Depth), 0), maxDepth-1)
	return origin{depth, url, owner}
}

// link makes the record of a link to a URL.
func (o origin) link(to string) *urlbatch.Record {
	rec := urlbatch.New(to)
	rec.SetInt(urlbatch.Depth, o.depth+1)
	rec.Set(urlbatch.Via, o.url)
	if o.owner != "" {
		rec.Set(urlbatch.Owner, o.owner)
	}
	return rec
}
