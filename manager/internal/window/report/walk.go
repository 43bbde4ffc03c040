package report

import (
	"context"
	"fmt"

	"multitext/txlog"
)

// walk passes every record of the history to each, oldest first, with the state before it. It
// returns the state after the last one, or nil if there is no log. A sealed generation that cannot
// be read is left out from there on; package past tells of it.
func walk(ctx context.Context, root string, each func(*txlog.State, txlog.Record) error) (*txlog.State, error) {
	visit := func(before *txlog.State, r txlog.Record) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return each(before, r)
	}
	generations, err := txlog.Sealed(root)
	if err != nil {
		return nil, fmt.Errorf("list the history: %w", err)
	}
	last := uint64(0)
	sealed := func(g uint64) error {
		last = g
		txlog.ReadSealed(root, g, visit)
		return ctx.Err()
	}
	for _, g := range generations {
		if err := sealed(g); err != nil {
			return nil, err
		}
	}
	log := txlog.Follow(root)
	defer log.Close()
	err = log.More(func(s *txlog.State) error {
		for last+1 < s.Generation() { // sealed since the list was made
			if err := sealed(last + 1); err != nil {
				return err
			}
		}
		return nil
	}, visit)
	return log.State(), err
}
