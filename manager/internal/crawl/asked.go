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
	waited := c.roomless
	c.roomless = false
	for _, id := range ids {
		a := c.consider(id)
		if a.copies() && !c.mayCopy(a) {
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
	if c.roomless && !waited {
		c.out.Line("a request to add waits for room on the disk; it is taken by itself when there is room")
	}
	return some, nil
}

// mayCopy reports whether the files of an add may be copied now. One that must wait
// stays in the inbox: behind another add; for the next start, once this manager is
// stopping; or until there is room, by the rule for stages.
func (c *Crawl) mayCopy(a *answer) bool {
	if c.bringing || c.stopping != "" {
		return false
	}
	env := c.environment()
	env.Free -= a.size()
	room := c.table.Disk(env).OK && !env.Now.Before(c.noAdd)
	c.roomless = c.roomless || !room
	return room
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
	if ev.noRoom() {
		c.noAdd = time.Now().Add(breakFor)
		return c.Dir.Clear(ev.rec.Tx)
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
