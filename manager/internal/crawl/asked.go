package crawl

import (
	"fmt"
	"time"
)

// adds is how it stands with requests to add.
type adds struct {
	copying   bool      // the files of one
	waiting   bool      // for room on the disk, or for notBefore
	notBefore time.Time // one has failed by no fault of its own
	failed    int       // so many of these in a row
}

// takeRequests answers the requests that wait, and reports whether there were any.
// The files of an add are copied beside the loop, for that may take long: one add
// at a time, while other requests pass.
func (c *Crawl) takeRequests() (some bool, err error) {
	ids, err := c.waiting()
	if err != nil {
		return false, err
	}
	waited := c.adds.waiting
	c.adds.waiting = false
	for len(ids) > 0 {
		a := c.consider(ids[0])
		if a.machine != nil {
			c.adds.waiting, waited = true, true
			if !time.Now().Before(c.adds.notBefore) {
				c.requestFailed(a)
			}
			ids = ids[1:]
			continue
		}
		if !a.copies() {
			c.number(a.rec)
			c.carryOut(a)
			if err := c.answered(a); err != nil {
				return some, err
			}
		} else if c.mayCopy(a) {
			c.number(a.rec)
			c.adds.copying = true
			go c.bringIn(a)
		} else {
			ids = ids[1:]
			continue
		}
		if some = true; a.copies() || !a.more {
			ids = ids[1:]
		}
	}
	if c.adds.waiting && !waited {
		c.out.Line("a request to add waits for room on the disk; it is taken by itself when there is room")
	}
	return some, nil
}

// mayCopy reports whether the files of an add may be copied now. One that must wait
// stays in the inbox: behind another add; for the next start, once this manager is
// stopping; until there is room, by the rule for stages; or for a while after one
// that failed.
func (c *Crawl) mayCopy(a *answer) bool {
	if c.adds.copying || c.stopping != "" {
		return false
	}
	env := c.environment()
	env.Free -= a.size()
	may := c.table.Disk(env).OK && !env.Now.Before(c.adds.notBefore)
	c.adds.waiting = c.adds.waiting || !may
	return may
}

func (c *Crawl) bringIn(a *answer) {
	c.carryOut(a)
	c.events <- &brought{a}
}

// brought is the event of an add's files having been copied, or not.
type brought struct{ *answer }

func (ev *brought) handle(c *Crawl) error {
	c.adds.copying = false
	c.looked = time.Time{} // another add may wait
	if c.killed {
		return nil // cut short; the request stays for the next start
	}
	if ev.machine != nil {
		c.requestFailed(ev.answer)
		return c.Dir.Clear(ev.rec.Tx)
	}
	c.adds.failed = 0
	return c.answered(ev.answer)
}

// requestFailed puts off adds, and requests that cannot be read, longer each time, as
// stages are that fail by no fault of theirs.
func (c *Crawl) requestFailed(a *answer) {
	c.adds.failed++
	wait := min(doubling(time.Second, c.adds.failed), breakFor)
	c.adds.notBefore, c.adds.waiting = time.Now().Add(wait), true
	c.out.Line(fmt.Sprintf("request %s could not be carried out: %v; it is tried again in %s", a.id, a.machine, wait))
}

// answered commits an answer, and reckons with what it has changed.
func (c *Crawl) answered(a *answer) error {
	if err := c.conclude(a, c.out.Line); err != nil {
		return err
	}
	c.rebuild()
	return nil
}
