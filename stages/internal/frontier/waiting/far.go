package waiting

// A run of fetch waits the pause of a host before it asks it for the first time, for it does not know
// when the host was asked last. So a host with a Crawl-delay of a minute, asked for one URL, makes a run
// take a minute, even if all the others need three seconds. Before the first visit nobody knows that:
// then fetch gives the URLs of the host back. From then on its URLs go into batches that take as long as
// its pause, or where nothing else can be handed out; or when they have waited for longestDoubt. Then
// all such hosts are asked by the same run, so one of many waits.
//
// With a lane for slow hosts they are in that, and no batch of the others has to do with them.

// far tells whether a host has a pause longer than a run's patience.
func (s *State) far(r *row) bool {
	patience := s.rules.Patience.Milliseconds()
	return patience > 0 && int64(r.pause) > patience
}

// tooFar tells whether a run of this batch should not wait for a host.
func (c *composer) tooFar(r *row) bool {
	if c.plan.Lane != Main || !c.far(r) || int64(r.pause) <= c.length {
		return false
	}
	c.patient = c.patient || c.now-max(r.free, r.hold) > longestDoubt
	return !c.patient
}

// setApart ends the turn of a host before it has begun.
func (c *composer) setApart(r *row) {
	c.apart = append(c.apart, r)
	r.turn.left, r.turn.kept, r.turn.far = 0, 0, true
}

// serveFar gives the hosts that were set apart a URL each, where that is right for one of them, or
// there is nothing else.
func (c *composer) serveFar() error {
	if !c.patient && (len(c.picks) > 0 || c.now < c.quiet()) {
		return nil
	}
	for _, r := range c.apart {
		if c.full() {
			break
		}
		best := r.best(0)
		if best == nil {
			continue // its URLs have left, for its budget is spent
		}
		r.turn.left, r.turn.far = 1, false
		if err := c.serve(r, best.band); err != nil {
			return err
		}
	}
	return nil
}

// relist puts a host that was served back into a ready list: from the time on at which it has been asked
// for what it was given. One that was set apart is looked at again for the next batch; it is known
// still since when it could have been asked.
func (c *composer) relist(r *row) {
	if free := c.start + r.turn.used; !r.turn.far {
		r.free = free
		c.list(r)
	} else {
		was := r.free
		r.free = max(free, c.end())
		c.list(r)
		r.free = was
	}
}
