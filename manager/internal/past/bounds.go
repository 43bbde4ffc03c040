package past

import "time"

// Bounds returns the start of the oldest run that was added, and the end of the newest. They are
// zero if there is none.
func (p *Past) Bounds() (begin, end time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.newest == 0 {
		return begin, end
	}
	return time.Unix(0, p.begun), time.Unix(0, p.newest)
}

// Committed returns the end of the newest run that has committed and was added. It is zero if there
// is none.
func (p *Past) Committed() (end time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.commit == 0 {
		return end
	}
	return time.Unix(0, p.commit)
}
