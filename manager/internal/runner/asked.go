package runner

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// left contains the requests that the machine failed to read or to carry out, with the errors. They
// are put off, longer each time, in the same way as stages that fail through no fault of their
// inputs.
type left struct {
	why       map[string]error
	notBefore time.Time
	times     int // how often in a row they were put off
}

// takeRequests answers the waiting requests, and reports whether there were any.
func (c *runner) takeRequests() (some bool, err error) {
	putOff := map[string]error{}
	if time.Now().Before(c.left.notBefore) {
		putOff = c.left.why
	}
	answered, why, err := c.TakeInbox(c.out.Line, putOff)
	if answered > 0 {
		c.rebuild()
	}
	c.left.why = why
	switch {
	case len(why) == 0:
		c.left = left{}
	case len(why) > len(putOff):
		c.left.times++
		wait := min(doubling(time.Second, c.left.times), breakFor)
		c.left.notBefore = time.Now().Add(wait)
		for _, id := range slices.Sorted(maps.Keys(why)) {
			if putOff[id] == nil {
				c.out.Line(fmt.Sprintf("request %s could not be carried out: %v; it is retried in %s",
					id, why[id], wait))
			}
		}
	}
	return answered > 0, err
}
