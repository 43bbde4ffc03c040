package main

import (
	"context"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/sharing/nodes"
)

// A placeError is one of another node's place. It ends what is done for that node, not the run.
type placeError struct{ err error }

func (e *placeError) Error() string { return e.err.Error() }
func (e *placeError) Unwrap() error { return e.err }

// A listing is what a peer's place says beside its batches.
type listing struct {
	agreed  agreement // the latest there; "": none
	foreign int64     // names that are no batch's
}

// each calls do with each batch of a peer's place, and with what the ledger says of it. What is wrong with the place is a
// placeError.
func (l *listing) each(ctx context.Context, place store.Store, peer *nodes.Node, known *ledger, do func(b batch, met entry)) error {
	for e, err := range place.List(ctx) {
		if err != nil {
			return &placeError{err}
		}
		if a, ok := parseAgreement(e.Name); ok {
			l.agreed = max(l.agreed, a)
			continue
		}
		b, ok := parseBatch(e.Name)
		if !ok {
			l.foreign++
			continue
		}
		b.size = e.Size
		met, err := known.find(peer.Name, b.name)
		if err != nil {
			return err
		}
		do(b, met)
	}
	return nil
}
