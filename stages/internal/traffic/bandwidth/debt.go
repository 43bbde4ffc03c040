package bandwidth

import "time"

// A debt is what a download on credit has taken, or will have, beyond the limit. There is one
// at a time.
type debt struct {
	running bool
	rate    float64 // of the download, while it is running
	reserve float64 // bytes a second kept free for paying; 0 when there is no debt
	bytes   float64 // to be paid; below 0 what was paid in advance
	most    float64 // of what was paid in advance the next debt is credited so much
	paid    time.Time
}

func (d *debt) open() bool { return d.running || d.bytes > 0 }

// begin opens a debt for a download, to be paid with at least reserve bytes a second.
func (d *debt) begin(now time.Time, rate, reserve float64) {
	d.running, d.rate, d.reserve, d.paid = true, rate, reserve, now
}

// pay pays with what the limit has had free since the last time, in bytes a second.
func (d *debt) pay(now time.Time, free float64) {
	if !d.open() {
		return
	}
	d.bytes -= max(free, 0) * now.Sub(d.paid).Seconds()
	d.paid = now
	d.close()
}

// end tells that the download has brought n bytes.
func (d *debt) end(n int64) {
	d.running, d.rate = false, 0
	d.bytes += float64(n)
	d.close()
}

// close ends a debt that is paid.
func (d *debt) close() {
	if !d.open() {
		d.reserve, d.bytes = 0, max(d.bytes, -d.most)
	}
}
