package crawl

import "time"

// takeRequests answers the requests that wait, and reports whether there were any.
// The files of an add are copied beside the loop, for that may take long: one add
// at a time, while other requests pass.
func (c *Crawl) takeRequests() (some bool, err error) {
	ids, err := c.waiting()
	if err != nil {
		return false, err
	}
	for _, id := range ids {
		a := c.consider(id)
		if a.copies() && c.bringing {
			continue
		}
		some = true
		c.number(a.rec)
		if a.copies() {
			c.bringing = true
			go c.bringIn(a)
			continue
		}
		c.carryOut(a)
		if err := c.answered(a); err != nil {
			return some, err
		}
	}
	return some, nil
}

func (c *Crawl) bringIn(a *answer) {
	c.carryOut(a)
	c.events <- &brought{a}
}

// brought is the event of an add's files having been copied, or not.
type brought struct{ *answer }

func (ev *brought) handle(c *Crawl) error {
	c.bringing = false
	c.looked = time.Time{} // another add may wait
	if c.killed {
		return nil // cut short; the request stays for the next start
	}
	return c.answered(ev.answer)
}

// answered commits an answer, and reckons with what it has changed.
func (c *Crawl) answered(a *answer) error {
	if err := c.conclude(a, c.out.Line); err != nil {
		return err
	}
	c.rebuild()
	return nil
}
