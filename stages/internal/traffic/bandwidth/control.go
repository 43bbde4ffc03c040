package bandwidth

import (
	"net/netip"
	"time"
)

// A Control decides which downloads may start, so that all together keep to a limit. It is not safe
// for concurrent use.
type Control interface {
	// Search begins a search of the queue at now. The caller calls fits with the server of each
	// request that could start, from the first on, until fits returns true. Then it starts that
	// request (Start). A control that has refused may answer differently after Tick.
	Search(now time.Time) (fits func(server netip.Addr) bool)
	// Start begins a download from server, which is the zero Addr if it is not known.
	Start(now time.Time, server netip.Addr) Download
	// Received reports that n bytes of any download were received.
	Received(now time.Time, n int)
	// End ends a download that has brought n bytes in all. Its time is that since Start, with
	// what a Ceiling made it wait. So where the ceiling, or the machine, holds downloads up, their
	// rates seem smaller, more of them are started, and the limit is reached all the same.
	End(now time.Time, d Download, n int64)
}

// A Download is a running download.
type Download struct {
	Rate float64 // predicted, bytes a second; 0 if the control does not predict

	server netip.Addr
	began  time.Time
	credit bool
}

// Open is the Control that lets every request start.
type Open struct{}

// Search returns a function that is always true.
func (Open) Search(time.Time) func(netip.Addr) bool {
	return func(netip.Addr) bool { return true }
}

// Start does nothing.
func (Open) Start(time.Time, netip.Addr) Download { return Download{} }

// Received does nothing.
func (Open) Received(time.Time, int) {}

// End does nothing.
func (Open) End(time.Time, Download, int64) {}
