package bandwidth

import (
	"net/netip"
	"time"
)

// Connections keeps to the rate by changing the number of running downloads. After each period it
// computes the number with which the measured rate would have been the limit, and moves a step
// towards it. In one period it at most doubles or halves the number.
type Connections struct {
	limit float64
	most  float64
	meter meter

	allowed float64 // downloads at once
	active  int
	used    bool      // the allowed number was reached since the last change
	next    time.Time // when to change it again
}

// NewConnections returns a control for a limit in bytes a second, with at most most downloads. It
// begins with one download.
func NewConnections(limit float64, most int) *Connections {
	return &Connections{limit: limit, most: float64(most), meter: newMeter(period), allowed: 1}
}

// Search reports whether another download may start, for any server.
func (c *Connections) Search(now time.Time) func(netip.Addr) bool {
	c.adjust(now)
	return func(netip.Addr) bool {
		free := c.active < int(c.allowed)
		c.used = c.used || !free
		return free
	}
}

// adjust changes the number when the period is over.
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
	// The rate is too low although more downloads are allowed. Allowing more would not help now,
	// and would be too many later.
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

// Received counts n bytes for the measured rate.
func (c *Connections) Received(now time.Time, n int) { c.meter.add(now, n) }

// End removes the download from the count.
func (c *Connections) End(time.Time, Download, int64) { c.active-- }
