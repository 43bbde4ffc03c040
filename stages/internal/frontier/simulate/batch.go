package simulate

import (
	"errors"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// tick is what a batch takes beside its requests: hosts that were served in different batches are
// told apart by the time.
const tick = time.Millisecond

// batch takes the pages of the next batch out of the state; there are none where no URL waits.
func (w *crawler) batch() (batch []uint32, err error) {
	plan := waiting.Plan{Lane: waiting.Main, Longest: w.Span, Most: max(w.Batch/w.Crawlers, 1)}
	for len(batch) == 0 {
		picks, err := w.state.Compose(plan)
		if err != nil {
			return nil, err
		}
		asked := map[string]int64{}
		for _, p := range picks {
			rec, err := urlbatch.Parse(p.Line)
			if err != nil {
				return nil, err
			}
			to := uint32(rec.Int(page))
			w.fetched[to] = true
			batch = append(batch, to)
			asked[string(canon.Hostname(rec.URLBytes()))]++
		}
		switch {
		case len(picks) > 0:
			err = w.pass(asked)
		case w.state.Waiting() == 0:
			return nil, nil
		default:
			err = w.wait()
		}
		if err != nil {
			return nil, err
		}
	}
	return batch, nil
}

// pass has the clock go on by the time that a batch takes, and tells the state what fetch would have
// seen of the hosts.
func (w *crawler) pass(asked map[string]int64) error {
	took := tick
	for _, n := range asked {
		took = max(took, time.Duration(n)*w.Pause+tick)
	}
	w.now = w.now.Add(took)
	w.state.Next(w.now)
	if w.Pause == 0 {
		return nil
	}
	for host, n := range asked {
		if err := w.state.Visited(&visits.Visit{Host: host, Asked: n, Answered: n, Pause: w.Pause}); err != nil {
			return err
		}
	}
	return nil
}

// wait has the clock go on until a batch can be composed.
func (w *crawler) wait() error {
	at, ok, err := w.state.Wake()
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("URLs wait, and none may ever be handed out")
	}
	w.state.Woken(at)
	w.now = at
	w.state.Next(at)
	return nil
}
