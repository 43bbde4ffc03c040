package keeper

import (
	"strconv"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
)

// Most is how many records are in a batch of Lifts, at most.
const Most = 20_000

// Lifts writes records for frontier, cut into batches that it can take one by one.
type Lifts struct {
	w *urlbatch.Writer
	n int
}

// NewLifts returns Lifts that go to path.
func NewLifts(env *stage.Env, path string) *Lifts {
	return &Lifts{w: urlbatch.NewWriter(env.Files, path, env.Report.Made)}
}

// Lift writes that a URL has a score, if it waits: frontier adds no URL by it.
func (l *Lifts) Lift(url []byte, score float32) error {
	rec := urlbatch.New(string(url))
	rec.Set(urlbatch.Known, "1")
	//failpoint:known-unmarked rec.Del(urlbatch.Known)
	rec.Set(urlbatch.Score, strconv.FormatFloat(float64(score), 'g', -1, 32))
	return l.Write(rec)
}

// Write writes a record.
func (l *Lifts) Write(rec *urlbatch.Record) error {
	if l.n++; l.n%Most == 1 && l.n > 1 {
		if err := l.w.Cut(); err != nil {
			return err
		}
	}
	return l.w.Write(rec)
}

// Close ends the last batch.
func (l *Lifts) Close() error { return l.w.Close() }
