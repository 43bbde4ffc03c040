package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/media"
)

// Reasons that the report gives for answers. More are status-Nxx and the reasons of other packages.
const (
	reasonExtracted     = "extracted"
	reasonNofollow      = "nofollow"
	reasonRedirect      = "redirect"
	reasonRedirectLimit = "redirect-limit"
	reasonCopy          = "copy"
	reasonRevisit       = "revisit"
	reasonNotModified   = "not-modified"
	reasonSitemap       = "sitemap"
	reasonNotSitemap    = "not-sitemap"
	reasonNotHTML       = "not-html"
	reasonNotHTTP       = "not-http"
	reasonEncoding      = "encoding"
	reasonBadURL        = "bad-url"
)

// extract performs the whole run.
func extract(ctx context.Context, env *stage.Env, c config) error {
	defer stage.LimitMemory(memoryFor(c.maxPage))()
	x := &extractor{
		config: c,
		rep:    env.Report,
		out:    urlbatch.NewWriter(env.Files, c.out, env.Report.Made),
		finder: links.NewFinder(c.options),
	}
	if c.judged != "" {
		x.judged = urlbatch.NewWriter(env.Files, c.judged, env.Report.Made)
	}
	err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, func(_ *warc.Reader, a *warc.Answer) error {
		reason, err := x.answer(a)
		if err == nil {
			env.Report.Reason(reason, 1)
			err = x.judge(a, reason)
		}
		return err
	})
	if err == nil && x.judged != nil {
		err = x.judged.Close()
	}
	if err != nil {
		return err
	}
	return x.out.Close()
}

type extractor struct {
	config
	rep    *report.Report
	out    *urlbatch.Writer
	judged *urlbatch.Writer // nil: answers are not judged
	finder *links.Finder
	rec    urlbatch.Record // the link being written
	shared urlbatch.Record // the attributes that all links of the answer share, without a URL
}

// inherited returns the attributes that all links of an answer share. Making them once for an
// answer is cheaper than once for a link. They are valid until the next call.
func (x *extractor) inherited(from origin) []byte {
	x.shared.Reset(nil)
	from.inherit(&x.shared)
	return x.shared.Attrs()
}

// answer writes the links of one answer and returns the reason to report for it. A fault in the
// answer is a reason, too. An error means that the file is damaged or a write failed.
func (x *extractor) answer(a *warc.Answer) (reason string, err error) {
	switch {
	case a.NotModified():
		return reasonNotModified, nil
	case a.Revisit():
		return reasonRevisit, nil
	}
	h, err := a.HTTP()
	if err != nil {
		return reasonNotHTTP, warc.Damage(err)
	}
	url, err := canon.Parse(a.URL())
	if err != nil {
		return reasonBadURL, nil
	}
	if h.Status/100 != 2 && h.Status/100 != 3 {
		return statusReason(h.Status), nil
	}
	from := origin{url: url, record: a.Record()}
	if x.judged != nil {
		from.worth = x.parent(from.record)
	}
	if x.score {
		from.score = x.linkScore(from.record)
	}
	switch {
	case h.Header.Get("Location") != "" && h.Status/100 == 3:
		return x.redirect(from, h)
	case h.Status/100 == 3 && h.Status != http.StatusMultipleChoices:
		return statusReason(h.Status), nil
	case from.isSitemap():
		return x.sitemap(a, from)
	}
	return x.page(a, from, h)
}

func statusReason(status int) string { return fmt.Sprintf("status-%dxx", status/100) }

func (x *extractor) page(a *warc.Answer, from origin, h *warc.HTTP) (string, error) {
	contentType := h.Header.ContentType()
	if !media.MayBePage(contentType) {
		return reasonNotHTML, nil // without inflating the body
	}
	body, whole, err := a.Body(x.maxPage)
	if errors.Is(err, coding.ErrUnknown) {
		return reasonEncoding, nil
	}
	if err != nil {
		return "", err
	}
	switch {
	case media.IsPage(contentType, body):
	case media.IsXML(contentType):
		return x.sitemap(a, from)
	default:
		return reasonNotHTML, nil
	}
	if !whole {
		x.rep.Count("cut-pages", 1)
	}
	first := from.first()
	found, err := x.finder.Find(links.Page{URL: from.url, Header: h.Header, Body: body, First: first})
	if err != nil {
		return "", fmt.Errorf("find links of %s: %w", from.url, err)
	}
	if found.Forbidden {
		return reasonNofollow, nil
	}
	x.countLeft(found)
	reason := reasonExtracted
	if first != "" {
		reason = reasonCopy
	}
	return reason, x.write(from, found.Links)
}

// countLeft adds the numbers of links that were left out of a page to the report.
func (x *extractor) countLeft(found links.Result) {
	x.count("nofollow-links", found.Nofollow)
	x.count("other-scheme-links", found.Scheme)
	x.count("bad-links", found.Bad)
	x.count("links-over-limit", found.Over)
	x.count("links-of-first-copy", found.Known)
}

func (x *extractor) count(name string, n int) {
	if n > 0 {
		x.rep.Count(name, int64(n))
	}
}

// write writes the links of a page.
func (x *extractor) write(from origin, found []links.Link) error {
	if len(found) == 0 {
		return nil
	}
	inherited := x.inherited(from)
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
