package main

import (
	"context"
	"errors"
	"time"
)

// errNoTurn says that no turn is left in this run.
var errNoTurn = errors.New("no turn is left before the end of the run")

// turnOf returns a function that waits for a turn at the host of t. It returns nil if this crawler
// does not take turns with others. The schedule has started t during a turn, but the turn may be
// over because the machine is busy or the connection took long.
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
			l.paused += time.Since(now) // this does not count as time of the server
			return true, nil
		}
	}
}
