package waiting

import "time"

// The order goes before the length of a batch. A batch that all hosts could fill with a few URLs each is
// short (length.go), and in it the hosts of the best band have a few URLs, too; the rest of it would be of
// bands that are worse. So where a band does not fill the batch, its hosts have the turns of a batch as
// long as it would be without a bound of its URLs, and only then the next band is served. Of the hosts of
// a band that does fill it, each has its part.

// lengthen gives the hosts of which URLs of a band are left the turns of a longer batch, step by step.
func (c *composer) lengthen(band uint8) error {
	if c.lane == Doubtful {
		return nil
	}
	for length := c.length; length < c.whole && len(c.stopped) > 0 && !c.full(); {
		length = min(length+max(length/2, 1), c.whole)
		stopped := c.stopped
		c.stopped = nil
		for _, r := range stopped {
			if c.full() {
				return nil
			}
			if err := c.prolong(r, band, length); err != nil {
				return err
			}
		}
	}
	return nil
}

// prolong gives a host the turn that it has in a batch of so many milliseconds.
func (c *composer) prolong(r *row, band uint8, length int64) error {
	if r.silent > 0 || r.asked == 0 || r.turn.got == 0 {
		return nil
	}
	all := c.turns(r, length-(r.turn.used-int64(r.turn.got)*c.step(r)))
	left := c.byYield(r, all)
	if left <= r.turn.got {
		c.stopped = append(c.stopped, r)
		return nil
	}
	r.turn.left, r.turn.kept = left-r.turn.got, all-left
	c.widen(r.turn.room)
	return c.serve(r, band)
}

// widen adds to what an address may be asked what it may in the whole batch.
func (c *composer) widen(of *room) {
	if of == nil || of.whole || c.plan.PerAddress <= 0 {
		return
	}
	of.whole = true
	of.left += uint64(time.Duration(c.whole-c.length) * time.Millisecond / c.plan.PerAddress)
}
