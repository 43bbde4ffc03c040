package simulate

import (
	"errors"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/traffic/visits"
	"multitext/stages/internal/web/canon"
)

// tick is what a batch takes at least: hosts that were served in different batches are told apart by
// the time.
const tick = time.Millisecond

// batch takes the pages of the next batch out of the state; there are none at the end of the crawl.
// Copies of what was fetched are dropped. Without politeness others take their places.
func (c *crawl) batch() (batch []uint32, err error) {
	for c.state.Waiting() > 0 && (len(batch) == 0 || c.Pause == 0 && len(batch) < c.Batch) {
		plan := waiting.Plan{Lane: waiting.Main, Longest: c.Span, Most: c.Batch - len(batch)}
		picks, err := c.state.Compose(plan)
		if err == nil && len(picks) == 0 {
			err = c.wait()
		}
		if err != nil {
			return nil, err
		}
		asked := map[string]int64{}
		for _, p := range picks {
			rec, err := urlbatch.Parse(p.Line)
			if err != nil {
				return nil, err
			}
			if to := uint32(rec.Int(page)); !c.fetched[to] {
				c.fetched[to] = true
				batch = append(batch, to)
				asked[string(canon.Hostname(rec.URLBytes()))]++
			}
		}
		if err := c.pass(asked); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

// pass has the clock go on by the time that a batch takes, and tells the state what fetch would have
// seen of the hosts.
func (c *crawl) pass(asked map[string]int64) error {
	took := tick
	for _, n := range asked {
		took = max(took, time.Duration(n)*c.Pause)
	}
	c.now = c.now.Add(took)
	c.state.Next(c.now)
	if c.Pause == 0 {
		return nil
	}
	for host, n := range asked {
		if err := c.state.Visited(&visits.Visit{Host: host, Asked: n, Answered: n, Pause: c.Pause}); err != nil {
			return err
		}
	}
	return nil
}

// wait has the clock go on until a batch can be composed.
func (c *crawl) wait() error {
	at, ok, err := c.state.Wake()
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("URLs wait, and none may ever be handed out")
	}
	c.state.Woken(at)
	c.now = at
	c.state.Next(at)
	return nil
}
