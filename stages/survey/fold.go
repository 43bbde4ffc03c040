package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/media"
)

// A fold sums up the records of a run.
type fold struct {
	*sums
	env      *stage.Env
	rejected []string             // folders of URLs that were never to be fetched
	last     map[string]time.Time // the last answer of each host in this batch
}

// longestGap is the longest time between two answers of a host that counts as a pause of fetch. A
// longer one has other causes.
const longestGap = 10 * time.Minute

// batch sums up one batch.
func (f *fold) batch(ctx context.Context, path string) error {
	pages, err := isWARC(path)
	if err != nil {
		return err
	}
	if pages {
		f.last = map[string]time.Time{}
		return warc.Each(ctx, []string{path}, f.env.Stdin, f.env.Report, func(_ *warc.Reader, a *warc.Answer) error {
			f.env.Report.Reason("counted", 1)
			return f.answer(a)
		})
	}
	before := slices.Contains(f.rejected, filepath.Base(filepath.Dir(path)))
	return urlbatch.Each(ctx, []string{path}, f.env.Stdin, f.env.Report, nil, func(r *urlbatch.Record) error {
		f.env.Report.Reason("counted", 1)
		f.url(r, before)
		return nil
	})
}

// isWARC tells a batch of pages from one of URLs by its first bytes.
func isWARC(path string) (bool, error) {
	if path == "-" {
		return false, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer file.Close()
	in, _, err := urlbatch.Inflate(bufio.NewReader(file))
	if err != nil {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	defer in.Close()
	first := make([]byte, len("WARC/"))
	if _, err := io.ReadFull(in, first); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	return string(first) == "WARC/", nil
}

// answer sums up an answer of a server.
func (f *fold) answer(a *warc.Answer) error {
	rec, size := a.Record(), a.Size()
	host := f.host(canon.Host(rec.URL()))
	host.n[hostAnswers]++
	host.n[hostBytes] += size
	f.count(kindAll, "answers", size)
	if rec.Int(urlbatch.Visit) == 0 && !rec.Has(urlbatch.Peer) {
		host.n[hostDone]++
	}
	status, kind := "no HTTP", "(none)"
	head, err := a.HTTP()
	if err := warc.Damage(err); err != nil {
		return err
	}
	if err == nil {
		status = strconv.Itoa(head.Status)
		if t := media.Type(head.Header.Get("Content-Type")); t != "" {
			kind = cut(t, 80)
		}
	}
	if err != nil || head.Status >= 400 {
		host.n[hostErrors]++
	}
	f.count(kindStatus, status, size)
	f.count(kindType, kind, size)
	f.count(kindSize, strconv.Itoa(bits.Len64(uint64(size))), size)
	f.count(kindDepth, strconv.FormatInt(rec.Int(urlbatch.Depth), 10), size)
	f.count(kindOutcome, outcome(a), size)
	if label, ok := rec.Get(urlbatch.Label); ok {
		f.count(kindLanguage, cut(label, 80), size)
	}
	f.scored(rec, colFetched)
	date, err := a.Date()
	if err != nil {
		return nil // a file of another program; the answer counts on no day
	}
	f.count(kindDay, date.UTC().Format(time.DateOnly), size)
	f.when(date.UnixMilli())
	f.gap(host, date)
	return nil
}

// outcome says what of an answer is new.
func outcome(a *warc.Answer) string {
	switch {
	case a.NotModified():
		return "not modified"
	case a.Revisit():
		return "duplicate"
	case a.Truncated() != "":
		return "cut short: " + cut(a.Truncated(), 20)
	}
	return "new"
}

// gap adds the pause before an answer to its host's.
func (f *fold) gap(host *row, date time.Time) {
	if last, ok := f.last[host.name]; ok {
		if pause := date.Sub(last); pause >= 0 && pause <= longestGap {
			host.n[hostGaps]++
			host.n[hostGapTotal] += pause.Milliseconds()
		}
	}
	f.last[host.name] = date
}

// Columns of rows of kindScore.
const (
	colFound = iota
	colFetched
)

// scored counts a URL with a score in its tenth.
func (f *fold) scored(rec *urlbatch.Record, column int) {
	if rec.Has(urlbatch.Score) {
		tenth := min(int(10*rec.Share(urlbatch.Score)), 9)
		f.at(kindScore, fmt.Sprintf("0.%d", tenth), 2).n[column]++
	}
}

// url sums up a URL: one with a reason goes no further, any other is to be fetched. before says
// that it ended before it was to be fetched. A URL that is to be visited again neither waits nor
// ends waiting.
func (f *fold) url(rec *urlbatch.Record, before bool) {
	name := canon.Host(rec.URL())
	reason, ended := rec.Get(urlbatch.Reason)
	again := rec.Int(urlbatch.Visit) > 0
	if !ended {
		if again {
			return
		}
		f.host(name).n[hostFresh]++
		f.scored(rec, colFound)
		return
	}
	r := f.at(kindReason, cut(reason, 80), 1)
	r.n[0]++
	if r.text == "" {
		r.text = cut(rec.URL(), 500)
	}
	if before || again {
		return
	}
	host := f.host(name)
	host.n[hostDone]++
	if _, tried := rec.Raw(urlbatch.Tries); tried {
		host.n[hostGivenUp]++
		return
	}
	host.n[hostRefused]++
	if strings.HasPrefix(reason, "robots") {
		host.n[hostRobots]++
	}
}

// cut returns at most n bytes of a text.
func cut(text string, n int) string { return text[:min(len(text), n)] }
