package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
)

// windows are the flags by which people look at a state. A window reads -waiting, prints, and writes
// nothing else.
type windows struct {
	explained, hosts, checked bool

	top int
}

func (w *windows) flags(fs *flag.FlagSet) {
	fs.BoolVar(&w.explained, "explain", false,
		"print where the URLs given as arguments wait, and when each will be asked for, and do nothing else")
	fs.BoolVar(&w.hosts, "hosts", false,
		"print how many URLs wait, the longest queues, and the slowest, the held and the silent hosts, and do\n"+
			"nothing else")
	fs.IntVar(&w.top, "top", 20, "with -hosts: print at most `N` hosts of each kind")
	fs.BoolVar(&w.checked, "check", false,
		"check the segments of -waiting as -verify does, and the state as a whole, and do nothing else")
}

// asked tells whether a window is wanted, and no run.
func (w *windows) asked() bool { return w.explained || w.hosts || w.checked }

// look is the Body of the windows.
func (o *options) look(ctx context.Context, env *stage.Env) error {
	env.NoReport = true
	given := len(env.Inputs) > 1 || env.Inputs[0] != "-"
	switch {
	case o.waiting == "":
		return stage.Usagef("-explain, -hosts and -check need -waiting")
	case o.explained && (o.hosts || o.checked) || o.hosts && o.checked:
		return stage.Usagef("-explain, -hosts and -check are not for one command")
	case o.explained != given:
		return stage.Usagef("-explain needs URLs; -hosts and -check take no arguments")
	case o.top < 1:
		return stage.Usagef("-top must be at least 1")
	}
	by, err := o.check(env)
	if err != nil {
		return err
	}
	if _, err := os.Stat(o.waiting); err != nil {
		return fmt.Errorf("-waiting: %w", err) // for a run it would be an empty state
	}
	now := time.Now()
	state, err := waiting.Open(o.waiting, env.Hash, o.rules(now, by))
	if err != nil {
		return err
	}
	defer state.Close()
	switch {
	case o.explained:
		return o.explain(env, state, by, now)
	case o.hosts:
		return showHosts(ctx, env.Stdout, state, now, o.top)
	}
	return o.checkWhole(ctx, state)
}

// complaints is how many faults of a state are printed.
const complaints = 20

func (o *options) checkWhole(ctx context.Context, state *waiting.State) error {
	var faults []error
	n := 0
	err := state.Check(ctx, func(fault error) {
		if n++; n <= complaints {
			faults = append(faults, fault)
		}
	})
	if err != nil || n == 0 {
		return err
	}
	return errors.Join(fmt.Errorf("the state %s is not whole; faults: %d", o.waiting, n), errors.Join(faults...))
}

// when formats a time to come, and how far it is off.
func when(at, now time.Time) string {
	left := at.Sub(now).Round(time.Second)
	if left <= 0 {
		return "now"
	}
	return fmt.Sprintf("in %s (%s)", left, at.UTC().Format(time.RFC3339))
}
