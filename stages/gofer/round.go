package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"time"

	"multitext/stages/gofer/internal/store"
	"multitext/stages/internal/run/stage"
)

// A round is one run: a visit to each peer. A visit fetches at most about -most, in random order,
// so that a batch at which the link always breaks does not hold up the others for ever. A batch for
// which the temporary folder has no room is left. A peer that does not answer, or not within -for,
// is noted, and the others are visited; if no peer could be reached the run ends with 75, to be
// tried again. Peers are visited in random order, a few at once, so that gofers by the same clock
// do not all call on the same one; -jitter spreads them further.
type round struct {
	*config
	env    *stage.Env
	ledger *ledger
	life   context.Context // the run's, which outlasts that of a visit

	reading sync.Mutex // batches are read by one visit at a time, which bounds memory
	goods   [kinds]goods
}

// pull makes a round.
func pull(ctx context.Context, env *stage.Env, c *config) error {
	ledger, err := openLedger(c.ledgerList, env.Hash)
	if err != nil {
		return err
	}
	if c.outgoing != "" {
		if err := c.publish(); err != nil {
			return errors.Join(err, ledger.set.Close())
		}
	}
	r := &round{config: c, env: env, ledger: ledger, life: ctx}
	if c.pages != "" {
		r.goods[pages] = newPageGoods(env, c.pages, c.arrived, c.bounds())
	}
	if c.urls != "" {
		r.goods[urls] = newURLGoods(env, c.urls, c.bounds())
	}
	visits, err := r.visitAll(ctx)
	if err == nil {
		err = r.tell(visits)
	}
	for _, g := range r.goods {
		if g != nil {
			err = errors.Join(err, g.close())
		}
	}
	return errors.Join(err, ledger.close(env, c.segment))
}

// visitAll visits the peers in random order, some of them at once. An error is none of the peers'.
func (r *round) visitAll(parent context.Context) ([]*visit, error) {
	ctx, cancel := context.WithCancelCause(parent)
	defer cancel(nil)
	var visits []*visit
	for _, peer := range r.peers() {
		visits = append(visits, &visit{round: r, peer: peer})
	}
	if err := pause(ctx, r.jitter); err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	slots := make(chan struct{}, r.atOnce)
	for _, i := range rand.Perm(len(visits)) {
		slots <- struct{}{}
		all.Go(func() {
			if err := visits[i].run(ctx); err != nil {
				cancel(err)
			}
			<-slots
		})
	}
	all.Wait()
	return visits, context.Cause(ctx)
}

// pause waits for a random part of most.
func pause(ctx context.Context, most time.Duration) error {
	if most <= 0 {
		return nil
	}
	select {
	case <-time.After(rand.N(most)):
	case <-ctx.Done():
	}
	return ctx.Err()
}

// tell writes what the visits did into the report. It fails when no peer could be reached.
func (r *round) tell(visits []*visit) error {
	reached := len(visits) == 0
	var why []error
	for _, v := range visits {
		v.tell()
		reached = reached || v.reached
		if v.trouble != nil {
			why = append(why, fmt.Errorf("%s: %w", v.peer.Name, v.trouble))
		}
	}
	if reached {
		return nil
	}
	err := fmt.Errorf("no peer could be reached:\n%w", errors.Join(why...))
	for _, v := range visits {
		if !errors.Is(v.trouble, store.ErrRefused) {
			return stage.TryLater(err)
		}
	}
	return err // it is for somebody to act
}

// tell writes the visit's tally into the report.
func (v *visit) tell() {
	rep := v.env.Report
	v.count("foreign", v.foreign)
	for name, n := range v.counts {
		if n > 0 {
			rep.Count(name, n)
		}
	}
	if name, err := v.outcome(); err != nil {
		rep.Count(name, 1)
		if name != absent {
			v.notes = append(v.notes, fmt.Sprintf("%s: %v", v.peer.Name, err))
		}
	}
	if v.lying > 0 {
		v.notes = append(v.notes, fmt.Sprintf("%s: %d torn or unfit batches of earlier runs still lie there",
			v.peer.Name, v.lying))
	}
	for k, n := range v.unwanted {
		if n > 0 {
			v.notes = append(v.notes, fmt.Sprintf("%s: %d %s wait there, and no output is given for them",
				v.peer.Name, n, kind(k)))
		}
	}
	for _, text := range v.notes {
		rep.Note(text)
	}
}

const absent = "peers-absent"

// outcome gives the counter for what ended a visit early, and why.
func (v *visit) outcome() (name string, err error) {
	switch err := v.trouble; {
	case err == nil:
		return "", nil
	case v.reached && errors.Is(err, fs.ErrNotExist):
		return absent, err // it has made nothing for us so far
	case errors.Is(err, store.ErrUnreachable):
		return "peers-unreachable", err
	case errors.Is(err, store.ErrRefused):
		return "peers-refused", err
	case errors.Is(err, context.DeadlineExceeded):
		return "peers-slow", err
	default:
		return "peers-failed", err
	}
}
