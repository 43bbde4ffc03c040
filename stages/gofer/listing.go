package main

import (
	"context"
	"iter"

	"multitext/stages/gofer/internal/store"
)

// A peerError is what is wrong at another node: with its place, or with a batch there. It ends what
// is done for that node or that batch, not the run.
type peerError struct{ err error }

func (e *peerError) Error() string { return e.err.Error() }
func (e *peerError) Unwrap() error { return e.err }

// A listing is what a place says beside its batches.
type listing struct {
	agreed  agreement // the latest there; "": none
	foreign int64     // names that are no batch's
}

// batches gives the batches of a place. An error is the last thing that it gives.
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
