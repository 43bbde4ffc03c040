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

// A round is one run, which visits each peer. A visit fetches about -most at most, in random order,
// so that a batch at which the link always breaks does not block the others for ever. A batch that
// does not fit into the temporary folder is left. A peer that does not answer, or not within -for,
// is noted, and the run goes on with the other peers. If no peer could be reached, the run exits
// with 75 and is retried. Peers are visited in random order, a few at once, so that gofers that
// start at the same time do not all visit the same peer. -jitter spreads them further.
type round struct {
	*config
	env    *stage.Env
	ledger *ledger
	life   context.Context // context of the run, which lives longer than that of a visit

	reading sync.Mutex // held while a batch is read, to limit memory
	goods   [kinds]goods
}

// pull performs a round.
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

// visitAll visits the peers in random order, several at once. It returns only errors that are not a
// peer's fault.
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

// pause waits for a random time up to most.
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

// tell reports what the visits did. It returns an error if no peer could be reached.
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
	return err // a person must act
}

// tell adds the visit's tally to the report.
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
		v.notes = append(v.notes, fmt.Sprintf("%s: %d torn or unfit batches of earlier runs are still there",
			v.peer.Name, v.lying))
	}
	for k, n := range v.unwanted {
		if n > 0 {
			v.notes = append(v.notes, fmt.Sprintf("%s: %d %s wait there, but there is no output for them",
				v.peer.Name, n, kind(k)))
		}
	}
	for _, text := range v.notes {
		rep.Note(text)
	}
}

const absent = "peers-absent"

// outcome returns the counter for a visit that ended early, and the cause.
func (v *visit) outcome() (name string, err error) {
	switch err := v.trouble; {
	case err == nil:
		return "", nil
	case v.reached && errors.Is(err, fs.ErrNotExist):
		return absent, err // it has not made a folder for this node yet
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
