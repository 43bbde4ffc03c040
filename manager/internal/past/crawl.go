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
	return at(p.begun), at(p.newest)
}

// at is a time of Past, which is zero if nothing was added.
func at(nanoseconds int64) time.Time {
	if nanoseconds == 0 {
		return time.Time{}
	}
	return time.Unix(0, nanoseconds)
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

// Status returns what manager status prints of the crawl, which is at the end of what was added.
// Why a batch was set aside is missing if that part of the history was not added yet.
func (p *Past) Status(v *view.Crawl) (*view.Status, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return v.Status(&p.asides)
}

// Missing returns how many transactions of a crawl have ended of which the history has nothing: it
// was deleted, or did not come with a copy. It is 0 as long as a part of the history is still to be
// added, or is damaged.
func (p *Past) Missing(v *view.Crawl) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.sealed.done < p.sealed.all || p.sealed.damage != nil {
		return 0
	}
	n := int(v.State.Seq())
	for _, of := range p.index.generations {
		n -= len(of.list)
	}
	return max(n, 0)
}

// Ran returns the start of the oldest run of a stage that was added. Unlike the first request, as
// of manager add, it has a manager. It is zero if there is none.
func (p *Past) Ran() (begin time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return at(p.ran)
}

// Committed returns the end of the newest run that has committed and was added. It is zero if there
// is none.
func (p *Past) Committed() (end time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return at(p.commit)
}
