package main

import (
	"context"
	"errors"
	"fmt"

	"multitext/stages/extract/internal/links"
	"multitext/stages/internal/canon"
	"multitext/stages/internal/coding"
	"multitext/stages/internal/report"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
	"multitext/stages/internal/warc"
)

// Reasons for which answers leave the flow; status-Nxx and those of other packages come on top.
const (
	reasonExtracted = "extracted"
	reasonNofollow  = "nofollow"
	reasonRedirect  = "redirect"
	reasonRevisit   = "revisit"
	reasonNotHTML   = "not-html"
	reasonNotHTTP   = "not-http"
	reasonEncoding  = "encoding"
	reasonBadURL    = "bad-url"
)

// extract is the whole run.
func extract(ctx context.Context, env *stage.Env, c config) error {
	x := &extractor{config: c, rep: env.Report, out: urlbatch.NewWriter(env.Files, c.out, env.Report.Made)}
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
	rep *report.Report
	out *urlbatch.Writer
}

// answer writes the links of one answer and gives the reason under which it leaves. What is wrong
// with the answer is a reason; an error is one of the file or of writing.
func (x *extractor) answer(a *warc.Answer) (reason string, err error) {
	if a.Revisit() {
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
	}
	return x.page(a, url, h)
}

func statusReason(status int) string { return fmt.Sprintf("status-%dxx", status/100) }

func (x *extractor) redirect(a *warc.Answer, url string, h *warc.HTTP) (string, error) {
	to, ok := links.Redirect(url, h.Header)
	if !ok {
		return statusReason(h.Status), nil
	}
	if !x.options.Kinds.Has(links.Location) {
		return reasonRedirect, nil
	}
	return reasonRedirect, x.write(a, url, []links.Link{to})
}

func (x *extractor) page(a *warc.Answer, url string, h *warc.HTTP) (string, error) {
	contentType := h.Header.Get("Content-Type")
	if declared(contentType) && !isHTML(contentType) {
		return reasonNotHTML, nil // without inflating the body
	}
	body, whole, err := a.Body(x.maxPage)
	if errors.Is(err, coding.ErrUnknown) {
		return reasonEncoding, nil
	}
	if err != nil {
		return "", err
	}
	if !declared(contentType) && !looksHTML(body) {
		return reasonNotHTML, nil
	}
	if !whole {
		x.rep.Count("cut-pages", 1)
	}
	found, err := links.Find(links.Page{URL: url, Header: h.Header, Body: body}, x.options)
	if err != nil {
		return "", fmt.Errorf("find links of %s: %w", url, err)
	}
	if found.Forbidden {
		return reasonNofollow, nil
	}
	x.count(found)
	return reasonExtracted, x.write(a, url, found.Links)
}

// count adds what was left out to the report.
func (x *extractor) count(found links.Result) {
	for _, c := range []struct {
		name string
		n    int
	}{
		{"nofollow-links", found.Nofollow},
		{"other-scheme-links", found.Scheme},
		{"bad-links", found.Bad},
		{"links-over-limit", found.Over},
	} {
		if c.n > 0 {
			x.rep.Count(c.name, int64(c.n))
		}
	}
}

// write writes the links of the page at url, which a holds.
func (x *extractor) write(a *warc.Answer, url string, found []links.Link) error {
	depth := a.Record().Int(urlbatch.Depth) + 1
	for _, l := range found {
		rec := urlbatch.New(l.URL)
		rec.SetInt(urlbatch.Depth, depth)
		rec.Set(urlbatch.Via, url)
		if l.Anchor != "" {
			rec.Set(urlbatch.Anchor, l.Anchor)
		}
		if err := x.out.Write(rec); err != nil {
			return err
		}
	}
	return nil
}
