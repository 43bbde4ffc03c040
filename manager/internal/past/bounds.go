package past

import (
	"time"

	"multitext/manager/internal/view"
)

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

// Life returns when the oldest run began that was added, and until when the crawl was run: now if a
// manager runs it, and otherwise the end of the newest run. Both are now if there is no run.
func (p *Past) Life(v *view.Crawl) (begin, end time.Time) {
	if begin, end = p.Bounds(); begin.IsZero() {
		return v.Now, v.Now
	}
	if v.Holder != nil {
		end = v.Now
	}
	return begin, end
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
