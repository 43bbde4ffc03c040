package bandwidth

import (
	"net/netip"
	"time"
)

// OnOff starts downloads while the rate of the last second is below the limit, and none while it is
// not. The rate of a download is known only after its start, so the total rate oscillates around
// the limit.
type OnOff struct {
	limit float64
	meter meter
}

// NewOnOff returns a control for a limit in bytes a second.
func NewOnOff(limit float64) *OnOff { return &OnOff{limit: limit, meter: newMeter(time.Second)} }

// Search reports whether the rate is below the limit, for any server.
func (o *OnOff) Search(now time.Time) func(netip.Addr) bool {
	on := o.meter.rate(now) < o.limit
	return func(netip.Addr) bool { return on }
}

// Start needs no books.
func (o *OnOff) Start(time.Time, netip.Addr) Download { return Download{} }

// Received counts n bytes for the measured rate.
func (o *OnOff) Received(now time.Time, n int) { o.meter.add(now, n) }

// End needs no books.
func (o *OnOff) End(time.Time, Download, int64) {}
