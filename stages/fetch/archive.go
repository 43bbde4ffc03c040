package main

import (
	"fmt"
	"io"
	"time"

	"multitext/stages/internal/exchange"
	"multitext/stages/internal/report"
	"multitext/stages/internal/stage"
	"multitext/stages/internal/urlbatch"
	"multitext/stages/internal/warc"
)

// A page is an answer on its way into the archive.
type page struct {
	rec    *urlbatch.Record
	answer *exchange.Answer
}

// An archive compresses and writes pages, in a goroutine of its own, so that connections
// need not wait for the compressor.
type archive struct {
	encoder *warc.Encoder
	writer  *warc.Writer
	rep     *report.Report
	pages   chan page
	written chan error // one for each page
}

// newArchive starts an archive, of which info says how it came about, that takes up to room pages before
// it makes anyone wait.
func newArchive(env *stage.Env, path string, info warc.Fields, room int) (*archive, error) {
	encoder, err := warc.NewEncoder(warc.DefaultLevel)
	if err != nil {
		return nil, err
	}
	front, err := encoder.Info(time.Now(), info)
	if err != nil {
		return nil, err
	}
	a := &archive{
		encoder: encoder,
		writer:  warc.NewWriter(env.Files, path, env.Report.Out),
		rep:     env.Report,
		pages:   make(chan page, room),
		written: make(chan error, room),
	}
	a.writer.Info(front)
	go func() {
		defer close(a.written)
		for p := range a.pages {
			a.written <- a.write(p)
		}
	}()
	return a, nil
}

// write puts one page into the archive and lets go of it.
func (a *archive) write(p page) error {
	defer p.answer.Close()
	response := make([]byte, int64(len(p.answer.Head))+p.answer.Body.Len())
	n := copy(response, p.answer.Head)
	if _, err := io.ReadFull(p.answer.Body.Reader(), response[n:]); err != nil {
		return fmt.Errorf("archive %s: %w", p.rec.URL(), err)
	}
	of := unchanged(p.rec, p.answer)
	if of != nil {
		a.rep.Count("not-modified", 1)
	}
	p.rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay, urlbatch.Since,
		urlbatch.ETag, urlbatch.Modified, urlbatch.Date) // of the capture before this one
	packed, err := a.encoder.Encode(&warc.Exchange{
		Record:    p.rec,
		Date:      p.answer.Started,
		Addr:      p.answer.Remote.Addr(),
		Request:   p.answer.Request,
		Response:  response,
		Truncated: p.answer.Truncated,
		Protocols: p.answer.Protocols,
		Unchanged: of,
	})
	if err != nil {
		return err
	}
	return a.writer.Write(packed)
}

// stop takes no more pages, drops those that wait, and returns when the goroutine has ended.
func (a *archive) stop() {
	close(a.pages)
	for p := range a.pages {
		p.answer.Close()
	}
	for range a.written {
	}
}
