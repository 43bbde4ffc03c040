package waiting

import (
	"math"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/registered"
)

// A Budget bounds what is fetched of a host, or of all hosts of a registered domain, in the whole
// crawl.
//
// When it is spent, what is over it leaves the state: new URLs at once (Over), those that wait at the
// next turn of their host (Plan.Over). They do not stay, for then a crawl would not end while they
// wait, and a trap's URLs would be in the state for ever. If the budget is raised, they come in again
// from where Plan.Over wrote them.
//
// A budget of pages is not exceeded: the URLs that are handed out and not back yet count as pages, so
// the last ones of a host may wait until others of it are back. One of bytes is exceeded by what the
// batches that are out have beyond the mean size of a page. A batch that is not back lateAtMost after
// its time counts no more, nor does one that was out when a budget was first given.
type Budget struct {
	Pages uint64 // answers, whatever their status; 0: no bound
	Bytes uint64 // of answers; 0: no bound
}

// bounded tells whether there is a budget.
func (r *Rules) bounded() bool { return r.Host != Budget{} || r.Domain != Budget{} }

// lateAtMost is how long after its time a batch may be back before its URLs count for no budget, in
// milliseconds: it may have been dropped.
const lateAtMost = int64(5 * time.Minute / time.Millisecond)

// A spending is what was fetched of a host or of a registered domain.
type spending struct {
	answered uint64 // answers in all
	bytes    uint64 // of answers in all
	promised uint64 // URLs that were handed out, of which no visit has told yet
	back     int64  // unix milliseconds, when those should have been asked for
}

// spent tells whether nothing more is to be fetched.
func (p *spending) spent(of Budget) bool {
	return of.Pages > 0 && p.answered >= of.Pages || of.Bytes > 0 && p.bytes >= of.Bytes
}

// left is how many URLs may be handed out.
func (p *spending) left(of Budget) uint64 {
	left := uint64(math.MaxInt64)
	if of.Pages > 0 {
		left = less(of.Pages, p.answered)
	}
	if of.Bytes > 0 && p.answered > 0 {
		mean := p.bytes/p.answered + 1
		left = min(left, (less(of.Bytes, p.bytes)+mean-1)/mean)
	}
	return less(left, p.promised)
}

// less is a - b, and 0 where b is more.
func less(a, b uint64) uint64 { return a - min(a, b) }

// expect notes that n URLs are handed out, which should have been asked for by then.
func (p *spending) expect(n uint64, by int64) {
	p.promised += n
	p.back = max(p.back, by)
}

// expire forgets what should be back for long.
func (p *spending) expire(now int64) {
	if now > p.back+lateAtMost {
		p.promised = 0
	}
}

// Over tells whether the budget of rec's host, or of its domain, is spent, so that it must not be
// added.
func (s *State) Over(rec *urlbatch.Record) (bool, error) {
	if s.rules.Host != (Budget{}) {
		r, err := s.find(hostKey(s.set.Hash().Sum(canon.Hostname(rec.URLBytes()))))
		if err != nil || r != nil && r.spent(s.rules.Host) {
			return true, err
		}
	}
	if s.rules.Domain == (Budget{}) {
		return false, nil
	}
	d, err := s.domain(string(registered.Domain(rec.URLBytes())))
	return err == nil && d.spent(s.rules.Domain), err
}

// mostDismissed bounds the URLs that leave the state with a batch because they are over a budget.
const mostDismissed = 100_000

// budget is how many URLs a host may be given more in this batch. Where it has none, the URLs of the
// host leave the state if its budget is spent, and else it waits for those that are out.
func (c *composer) budget(r *row) (left uint64, err error) {
	if !c.rules.bounded() {
		return math.MaxInt64, nil
	}
	d, err := c.domainOf(r)
	if err != nil {
		return 0, err
	}
	r.expire(c.now)
	d.expire(c.now)
	if r.spent(c.rules.Host) || d.spent(c.rules.Domain) {
		return 0, c.dismiss(r)
	}
	if left = min(r.left(c.rules.Host), d.left(c.rules.Domain)); left == 0 {
		c.await(r, max(r.back, d.back))
	}
	return left, nil
}

// dismiss has the URLs of a host leave the state, all in some batches.
func (c *composer) dismiss(r *row) error {
	for i := range r.queues {
		q := &r.queues[i]
		most := min(q.tail-q.head, mostDismissed-c.dismissed)
		if most == 0 {
			continue
		}
		n, err := c.pull(r, q, most, c.plan.Over)
		c.dismissed += n
		if err != nil {
			return err
		}
	}
	r.turn.left, r.turn.kept, r.turn.used = 0, 0, max(r.turn.used, c.length)
	return nil
}

// promise counts n URLs that are handed out for the budgets of their host and its domain.
func (c *composer) promise(r *row, n uint64) {
	if !c.rules.bounded() {
		return // rows are smaller without
	}
	by := c.start + r.turn.used
	r.expect(n, by)
	if d := r.domain; d != nil {
		d.expect(n, by)
		d.changed = true
	}
}

// await has a host wait for the URLs that are out, which should have been asked for at back: until they
// are reported, and where that lasts, twice as long each time.
func (c *composer) await(r *row, back int64) {
	until := max(c.end(), back+c.costOfRun(), 2*c.now-back)
	r.turn.left, r.turn.kept, r.turn.used = 0, 0, max(r.turn.used, until-c.start)
}
