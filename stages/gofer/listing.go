package main

import (
	"context"
	"iter"

	"multitext/stages/gofer/internal/store"
)

// A peerError is an error at another node: with its place, or with a batch there. It ends the work
// on that node or batch, but not the run.
type peerError struct{ err error }

func (e *peerError) Error() string { return e.err.Error() }
func (e *peerError) Unwrap() error { return e.err }

// A listing has what a place contains besides batches.
type listing struct {
	agreed  agreement // the latest agreement there, or ""
	foreign int64     // number of names that are not names of batches
}

// batches returns the batches of a place. After an error the sequence ends.
func (l *listing) batches(ctx context.Context, place store.Store) iter.Seq2[batch, error] {
	return func(yield func(batch, error) bool) {
		//failpoint:place-listed
		for e, err := range place.List(ctx) {
			a, agrees := parseAgreement(e.Name)
			b, ok := parseBatch(e.Name)
			b.size = e.Size
			switch {
			case err == nil && agrees:
				l.agreed = max(l.agreed, a)
			case err == nil && !ok:
				l.foreign++
			case !yield(b, err):
				return
			}
		}
	}
}
