package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/text/language"

	"multitext/stages/internal/formats/coding"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/charset"
	"multitext/stages/internal/web/media"
	"multitext/stages/text/internal/maintext"
)

// Reasons that the report gives for answers. More are status-Nxx and those of objector.
const (
	reasonWritten     = "written"
	reasonRevisit     = "revisit"
	reasonNotModified = "not-modified"
	reasonNotHTML     = "not-html"
	reasonNotHTTP     = "not-http"
	reasonEncoding    = "encoding"
	reasonBadDate     = "bad-date"
	reasonNoText      = "no-text"
	reasonShort       = "short"
	reasonLanguage    = "other-language"
	reasonQuality     = "low-quality"
)

// A writer writes the text of answers.
type writer struct {
	config
	extractor maintext.Extractor
	objector  objector
	judge     *judge
	encoder   warc.Encoder
	line      bytes.Buffer
	lines     *output.Writer // nil: no JSONL
	wet       *warc.Writer   // nil: no WET
}

// write performs the whole run.
func write(ctx context.Context, env *stage.Env, c config, j *judge) error {
	defer stage.LimitMemory(memoryFor(c.maxPage))()
	w := &writer{config: c, judge: j,
		objector: objector{agents: c.agents, obeyed: c.optOuts, found: map[string]bool{}}}
	if c.lines != "" { // compressed by its name, as a URL batch
		w.lines = urlbatch.NewWriter(env.Files, c.lines, env.Report.Made).Writer
	}
	if c.wet != "" {
		w.wet = warc.NewWriter(env.Files, c.wet, env.Report.Made)
	}
	err := warc.Each(ctx, env.Inputs, env.Stdin, env.Report, func(r *warc.Reader, a *warc.Answer) error {
		if w.wet != nil {
			w.wet.Info(r.Info())
		}
		reason, err := w.answer(a)
		if err == nil {
			env.Report.Reason(reason, 1)
		}
		return err
	})
	if err == nil && w.lines != nil {
		err = w.lines.Close()
	}
	if err == nil && w.wet != nil {
		err = w.wet.Close()
	}
	return err
}

// memoryFor returns the memory use above which the garbage collector works harder.
func memoryFor(maxPage int64) int64 { return 12*min(maxPage, 1<<50) + 64<<20 }

// answer writes the text of one answer and returns the reason to report for it. An error means that
// the file is damaged or a write failed.
func (w *writer) answer(a *warc.Answer) (reason string, err error) {
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
	if h.Status/100 != 2 {
		return fmt.Sprintf("status-%dxx", h.Status/100), nil
	}
	line, err := lineOf(a)
	if err != nil {
		return reasonBadDate, nil
	}
	contentType := h.Header.ContentType()
	if !media.MayBePage(contentType) {
		return reasonNotHTML, nil // without inflating the body
	}
	body, whole, err := a.Body(w.maxPage)
	if errors.Is(err, coding.ErrUnknown) {
		return reasonEncoding, nil
	}
	if err != nil {
		return "", err
	}
	if !media.IsPage(contentType, body) {
		return reasonNotHTML, nil
	}
	line.Cut = !whole
	return w.page(a, &line, h, body, contentType)
}

// page reads a page, and writes its text if it is wanted.
func (w *writer) page(a *warc.Answer, line *Line, h *warc.HTTP, body []byte, contentType string) (string, error) {
	w.objector.head(h.Header)
	body, _, _ = charset.UTF8(body, contentType)
	page := w.extractor.Read(body, media.IsXML(contentType), w.objector.meta)
	if reason := w.objector.reason(); reason != "" {
		return reason, nil
	}
	switch {
	case page.Words == 0:
		return reasonNoText, nil
	case page.Words < w.words:
		return reasonShort, nil
	}
	line.Language = w.judge.read(page.Text)
	if len(w.languages) > 0 && !slices.Contains(w.languages, line.Language) {
		return reasonLanguage, nil
	}
	if line.Quality = w.judge.good(); line.Quality != nil && *line.Quality < w.least {
		return reasonQuality, nil
	}
	line.Title, line.Words, line.Text = page.Title, page.Words, string(page.Text)
	return reasonWritten, w.put(a, line, page.Text)
}

// put writes a line, and a conversion record.
func (w *writer) put(a *warc.Answer, line *Line, text []byte) error {
	if w.lines != nil {
		if err := line.encode(&w.line); err != nil {
			return err
		}
		if err := w.lines.Append(w.line.Bytes()); err != nil {
			return err
		}
		if w.line.Cap() > 1<<20 { // the memory of a large page is not kept
			w.line = bytes.Buffer{}
		}
	}
	if w.wet == nil {
		return nil
	}
	p, err := w.encoder.Conversion(a, text, threeLetters(line.Language))
	if err != nil {
		return err
	}
	return w.wet.Write(p)
}

// threeLetters returns the code of ISO 639-3 for one of ISO 639-1, or "".
func threeLetters(code string) string {
	base, err := language.ParseBase(code)
	if err != nil {
		return ""
	}
	return base.ISO3()
}
