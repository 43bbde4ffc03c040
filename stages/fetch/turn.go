package main

import (
	"context"
	"errors"
	"time"
)

// errNoTurn says that no turn came any more in this run.
var errNoTurn = errors.New("no turn is left before the end of the run")

// turnOf waits for a turn at the host of t, where this crawler takes turns with others; else it is
// nil. The schedule has started t in one; but a machine that is busy, a connection that takes long,
// may have let it pass.
func (l *lane) turnOf(t *turn) func(context.Context) (waited bool, err error) {
	if !t.TakesTurns() {
		return nil
	}
	return func(ctx context.Context) (waited bool, err error) {
		now := time.Now()
		at := t.Turn(now)
		switch {
		case !at.Before(l.deadline):
			return false, errNoTurn
		case !at.After(now):
			return false, nil
		}
		timer := time.NewTimer(at.Sub(now))
		defer timer.Stop()
		select {
		case <-ctx.Done():
			return true, ctx.Err()
		case <-timer.C:
			l.paused += time.Since(now) // not the server's slowness
			return true, nil
		}
	}
}
