package bandwidth

import (
	"net/netip"
	"time"
)

// Connections holds the rate by the number of downloads at work. After each period it goes a step
// of the way towards the number that would have made the rate measured in it the limit, at most to
// twice or half of it.
type Connections struct {
	limit float64
	most  float64
	meter meter

	allowed float64 // downloads at once
	active  int
	used    bool      // all that is allowed was at work since the last change
	next    time.Time // when to change it again
}

// NewConnections returns a control for a limit in bytes a second, with never more than most
// downloads. It begins with one.
func NewConnections(limit float64, most int) *Connections {
	return &Connections{limit: limit, most: float64(most), meter: newMeter(period), allowed: 1}
}

// Search reports whether one more download may be at work, whatever the server.
func (c *Connections) Search(now time.Time) func(netip.Addr) bool {
	c.adjust(now)
	return func(netip.Addr) bool {
		free := c.active < int(c.allowed)
		c.used = c.used || !free
		return free
	}
}

// adjust changes the number when it is time.
func (c *Connections) adjust(now time.Time) {
	if c.next.IsZero() {
		c.next = now.Add(period)
	}
	if now.Before(c.next) {
		return
	}
	c.next = now.Add(period)
	ratio := 2.
	if rate := c.meter.rate(now); rate > 0 {
		ratio = min(max(c.limit/rate, 0.5), 2)
	}
	// Too slow with places left to take: more of them would not help, and be too many later.
	if ratio < 1 || c.used {
		c.allowed = min(max(c.allowed*(1+step*(ratio-1)), 1), c.most)
	}
	c.used = false
}

// Start counts the download.
func (c *Connections) Start(time.Time, netip.Addr) Download {
	c.active++
	return Download{}
}

// Received measures.
func (c *Connections) Received(now time.Time, n int) { c.meter.add(now, n) }

// End counts the download off.
func (c *Connections) End(time.Time, Download, int64) { c.active-- }
