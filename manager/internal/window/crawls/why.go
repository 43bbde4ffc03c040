package crawls

import (
	"time"

	"multitext/manager/internal/view"
)

// patience is how long a status waits for what the history says. Reading a history of a million
// transactions takes longer.
const patience = 300 * time.Millisecond

// A why knows why batches of a crawl were set aside.
type why struct {
	epoch  string          // of the crawl
	runs   *view.AsideRuns // nil until the history was read
	result chan result     // of reading it; nil if it is not being read
}

type result struct {
	runs *view.AsideRuns
	err  error
}

// Status returns what manager status prints; v is the crawl that With passes. If a batch
// is set aside, the history is read for the reason, once and in the background; until then the
// reason is missing.
func (c *Crawl) Status(v *view.Crawl) (s *view.Status, err error) {
	if epoch := v.State.Epoch(); c.why.epoch != epoch {
		c.why = why{epoch: epoch}
	}
	if err = c.why.receive(0); err == nil {
		s, err = v.Status(c.why.runs)
	}
	if err == nil && c.why.search(v.Root, s) {
		if err = c.why.receive(patience); err == nil {
			s, err = v.Status(c.why.runs)
		}
	}
	if err != nil {
		c.why = why{}
		return nil, err
	}
	return s, nil
}

// search begins to read the history, if that is necessary.
func (w *why) search(root string, s *view.Status) bool {
	if len(s.Asides) == 0 || w.runs != nil || w.result != nil {
		return false
	}
	to := make(chan result, 1)
	w.result = to
	go func() {
		r := result{runs: new(view.AsideRuns)}
		r.err = r.runs.Read(root)
		to <- r
	}()
	return true
}

// receive takes what was read, if it comes in time.
func (w *why) receive(within time.Duration) error {
	if w.result == nil {
		return nil
	}
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case r := <-w.result:
		return w.take(r)
	case <-late.C:
	}
	select { // both may have come
	case r := <-w.result:
		return w.take(r)
	default:
		return nil
	}
}

func (w *why) take(r result) error {
	w.result = nil
	if r.err == nil {
		w.runs = r.runs
	}
	return r.err
}
