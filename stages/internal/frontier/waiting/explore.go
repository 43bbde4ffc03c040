package waiting

import "math/rand/v2"

// Explore is the share of the URLs that goes by turns, whatever the order says of them, so that
// nothing starves behind better URLs that never end. The turns are those of hosts, in the order of
// their keys, which is chance; at its turn a host has one URL handed out, of the band next to that
// of its last turn, and in a band the oldest.
//
// The bound: let n URLs of a batch go by turns, which is the share of all that are handed out, W
// hosts have URLs that wait, and H hosts be known. A round over all hosts takes W/n or H/(16n)
// batches at most, what is greater. A URL in front of which p wait in its band, at a host with URLs
// in b bands, is handed out in b·(p+1) rounds. That is so as long as its host may be asked when its
// turn comes; else the host is passed over until the next round.
//
// What is Doubtful has turns of its own, in batches that take long anyway: n is mostDoubtful there at
// most, and the band of a host is chosen by lot.
type explorer struct {
	*composer
	of   Lane // whose hosts have turns
	walk rowWalk
}

// looksPerURL is how many hosts are looked at for a URL at most: most that are known have none.
const looksPerURL = 16

// owedUnit is what the meta entry has for one URL that is to go by turns.
const owedUnit = 1000

// explore hands out the URLs of a lane that go by turns in this batch.
func (c *composer) explore(lane Lane) error {
	x := &explorer{composer: c, of: lane}
	owed := &c.meta.owed[lane]
	c.lane = lane
	if c.rules.Explore == 0 {
		*owed = 0 // of runs before the script was changed
	}
	//failpoint:nothing-explored *owed = 0
	for looks := looksPerURL * (*owed / owedUnit); looks > 0 && *owed >= owedUnit && !c.full(); looks-- {
		r, err := x.next()
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		before := len(c.picks)
		if err := x.host(r); err != nil {
			return err
		}
		*owed -= owedUnit * uint64(len(c.picks)-before)
	}
	return nil
}

// owe notes how many URLs are to go by turns for those of this batch.
func (c *composer) owe() {
	c.oweLane(c.plan.Lane, c.plan.Most)
	if c.plan.Lane == Main {
		c.oweLane(Doubtful, mostDoubtful)
	}
}

func (c *composer) oweLane(lane Lane, most int) {
	owed := c.meta.owed[lane] + uint64(c.rules.Explore*owedUnit*float64(len(c.picks)))
	c.meta.owed[lane] = min(owed, owedUnit*uint64(most))
}

// next returns the host whose turn is next, nil if there is none at the end of the keys; then the
// first is next.
func (x *explorer) next() (*row, error) {
	last := &x.meta.explored[x.of]
	if x.walk == (rowWalk{}) {
		walk, err := walkRows(x.set.Cursor(), *last+1)
		if err != nil {
			return nil, err
		}
		x.walk = walk
	}
	host, _, err := x.walk.next()
	if err != nil {
		return nil, err
	}
	if host == pastRows {
		*last, x.walk = 0, rowWalk{}
		return nil, nil
	}
	*last = host
	return x.find(host)
}

// host has a host's turn, if it may be asked.
func (x *explorer) host(r *row) error {
	q := x.queueOf(r)
	from := max(r.free, r.hold, x.start) - x.start
	if q == nil || r.turn.in || from > 0 && from >= x.latest() || x.room(r).left == 0 || x.tooFar(r) {
		return nil
	}
	x.keep(r)
	x.allot(r)
	if r.turn.left == 0 { // for its yield
		r.turn.left, r.turn.used = 1, from
	}
	if left, err := x.budget(r); err != nil || left == 0 {
		return err
	}
	if x.of != Doubtful {
		r.explored = q.band
	}
	if err := x.take(r, q, 1); err != nil {
		return err
	}
	if best := r.best(0); best != nil && r.turn.left > 0 && r.lane(best.band) == x.plan.Lane {
		x.later[best.band] = append(x.later[best.band], r)
	}
	return nil
}

// queueOf is the host's queue whose turn it is, nil if the lane has none of it.
func (x *explorer) queueOf(r *row) *queue {
	var of []*queue
	next := -1
	for i := range r.queues {
		q := &r.queues[i]
		if q.head == q.tail || r.lane(q.band) != x.of {
			continue
		}
		if of = append(of, q); next < 0 && q.band > r.explored {
			next = len(of) - 1
		}
	}
	switch {
	case len(of) == 0:
		return nil
	case x.of == Doubtful:
		next = rand.New(rand.NewPCG(x.meta.batches[Main], r.host)).IntN(len(of))
	}
	return of[max(next, 0)]
}
