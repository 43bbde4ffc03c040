package runner

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// left are the requests that the machine failed to read or to carry out, and why. They
// are put off, longer each time, as stages are that fail by no fault of theirs.
type left struct {
	why       map[string]error
	notBefore time.Time
	times     int // that they were put off, in a row
}

// takeRequests answers the requests that wait, and reports whether there were any.
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
				c.out.Line(fmt.Sprintf("request %s could not be carried out: %v; it is tried again in %s",
					id, why[id], wait))
			}
		}
	}
	return answered > 0, err
}
