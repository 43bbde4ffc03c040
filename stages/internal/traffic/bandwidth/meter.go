package bandwidth

import "time"

// slot is the time resolution of a meter.
const slot = 50 * time.Millisecond

// A meter measures the rate in its window: the current slot and the slots before it.
type meter struct {
	slots []float64 // bytes of each, as a ring
	last  int64     // number of the newest, since 1970
	sum   float64
}

func newMeter(window time.Duration) meter {
	return meter{slots: make([]float64, max(1, window/slot))}
}

// add counts n bytes.
func (m *meter) add(now time.Time, n int) {
	m.turn(now)
	m.slots[m.last%int64(len(m.slots))] += float64(n)
	m.sum += float64(n)
}

// rate is in bytes a second.
func (m *meter) rate(now time.Time) float64 {
	m.turn(now)
	return m.sum / (time.Duration(len(m.slots)) * slot).Seconds()
}

// turn removes slots that are no longer in the window. If the clock goes back, it does nothing.
func (m *meter) turn(now time.Time) {
	number := now.UnixNano() / int64(slot)
	for i := max(m.last+1, number-int64(len(m.slots))+1); i <= number; i++ {
		old := &m.slots[i%int64(len(m.slots))]
		m.sum -= *old
		*old = 0
	}
	m.last = max(m.last, number)
}
