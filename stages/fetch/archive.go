package main

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/traffic/exchange"
	"multitext/stages/internal/web/httphead"
)

// An archive compresses pages and writes them to one file. It is safe for concurrent use: as many
// goroutines as there are cores compress in parallel, and they append one after another.
type archive struct {
	encoders chan *warc.Encoder // the idle encoders
	rep      *report.Report

	mu     sync.Mutex
	writer *warc.Writer
}

// newArchive returns an archive that begins with info.
func newArchive(env *stage.Env, path string, info httphead.Fields) (*archive, error) {
	a := &archive{
		encoders: make(chan *warc.Encoder, runtime.GOMAXPROCS(0)),
		rep:      env.Report,
		writer:   warc.NewWriter(env.Files, path, env.Report.Out),
	}
	for range cap(a.encoders) {
		a.encoders <- new(warc.Encoder)
	}
	front, err := new(warc.Encoder).Info(time.Now(), info)
	if err != nil {
		return nil, err
	}
	a.writer.Info(front)
	return a, nil
}

// write adds a page to the archive. A long page waits in its temporary file until an encoder is
// idle, so that memory holds only as many pages as there are cores.
func (a *archive) write(v *target, answer *exchange.Answer) error {
	encoder := <-a.encoders
	defer func() { a.encoders <- encoder }()
	wire, err := answer.Wire()
	if err != nil {
		return fmt.Errorf("archive %s: %w", v.url, err)
	}
	of := unchanged(v, answer)
	if of != nil {
		a.rep.Count("not-modified", 1)
	}
	v.rec.Del(urlbatch.Addr, urlbatch.Until, urlbatch.Delay, urlbatch.Since,
		urlbatch.ETag, urlbatch.Modified, urlbatch.Date) // these belong to the previous capture
	packed, err := encoder.Encode(&warc.Exchange{
		Record:    v.rec,
		Date:      answer.Started,
		Addr:      answer.Remote.Addr(),
		Request:   answer.Request,
		Response:  wire,
		Truncated: answer.Truncated,
		Protocols: answer.Protocols,
		Unchanged: of,
	})
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.writer.Write(packed)
}
