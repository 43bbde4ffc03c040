package waiting

import (
	"cmp"
	"math"
	"slices"
	"time"

	"multitext/stages/internal/web/registered"
)

// A Plan says what batch is wanted.
type Plan struct {
	Lane       Lane          // Main, with which Doubtful goes, or Slow
	Longest    time.Duration // that a run of fetch may take over it
	Most       int           // URLs
	PerAddress time.Duration // between two requests to an address

	// Over takes the records of URLs that leave because a budget is spent; needed where Rules have one.
	// The line is valid until it returns.
	Over func(line []byte) error
}

// A Pick is a URL of a batch.
type Pick struct {
	Line []byte // of its record
	Far  bool   // a run of fetch must wait for its host, which has a long pause
	slot int64  // milliseconds from the start of the batch at which its host's turn comes
}

// A composer composes one batch: the URLs of the best bands of the hosts that may be asked in its
// time, of none more than there is time for.
type composer struct {
	*State
	plan   Plan
	start  int64 // when the batch is expected to be begun
	length int64 // milliseconds that it takes if all hosts have their part of it
	whole  int64 // that it may take if some hosts have better URLs than the others (whole.go)
	used   int64 // that it does take, by what is known of its hosts
	picks  []Pick
	served []*row
	most   int              // hosts that may be served
	spare  int              // URLs that are kept for what is Doubtful
	rooms  map[string]*room // by address

	apart     []*row // hosts for which a run of this batch would wait (far.go)
	patient   bool   // it may
	dismissed uint64 // URLs that left because a budget is spent

	lane    Lane             // that is being served
	later   [bands][]*row    // hosts of it that have a turn left when a later band comes
	stopped []*row           // hosts that have URLs left of the band that is being served
	pending map[uint8][]*row // hosts that came into one of its lists in this run
}

// A turn is what a host has in a batch.
type turn struct {
	in   bool
	left uint64 // URLs that it may still have
	got  uint64 // that it has
	kept uint64 // that it may not have, for its yield is low
	far  bool   // it is set apart, for a run would wait for it
	used int64  // milliseconds from the start of the batch until it may be asked for one more
	room *room  // of its address, once it was looked up
}

// failed is the first band of URLs that failed before (package order).
const failed = 64

// Compose takes a batch out of the state, in the order in which it should be asked for. It may be
// empty though URLs wait: see Wake.
//
// URLs that failed before, and hosts that did not answer, may take all of a run's patience. So they
// go into batches that take as long anyway, and where nothing else can be handed out; or when they
// have waited for long. The same is true of hosts whose pause is longer than that (far.go).
func (s *State) Compose(plan Plan) ([]Pick, error) {
	if err := s.settle(); err != nil {
		return nil, err
	}
	c := &composer{State: s, plan: plan, rooms: map[string]*room{}, most: mostServed}
	c.start = s.start(plan.Lane, ahead(plan.Longest))
	c.length, c.whole = s.lengthOf(plan, plan.Most), s.lengthOf(plan, math.MaxInt)
	s.plans[plan.Lane] = plan
	if s.now >= s.quiet() {
		s.meta.out[Main] = 0 // what is still missing was dropped
	}
	if _, early := s.early(plan.Lane); early {
		return nil, nil
	}
	long := c.length >= c.patience() || s.now-s.meta.patient > longestDoubt
	if err := c.beginDoubtful(long); err != nil {
		return nil, err
	}
	if err := c.explore(plan.Lane); err != nil {
		return nil, err
	}
	if err := c.serveLane(plan.Lane); err != nil {
		return nil, err
	}
	if err := c.relent(); err != nil {
		return nil, err
	}
	if plan.Lane == Main && s.with(Slow) == Main { // hosts that were in a lane of their own before
		if err := c.serveLane(Slow); err != nil {
			return nil, err
		}
	}
	if err := c.serveDoubtful(long || c.used >= c.patience()); err != nil {
		return nil, err
	}
	if err := c.serveFar(); err != nil {
		return nil, err
	}
	c.owe()
	c.release()
	slices.SortStableFunc(c.picks, func(a, b Pick) int { return cmp.Compare(a.slot, b.slot) })
	return c.picks, nil
}

// beginDoubtful hands out what is Doubtful and goes by turns, and keeps room in the batch for the hosts
// that serveDoubtful is to serve, if there are any: where others fill each batch, these would never be
// asked again.
func (c *composer) beginDoubtful(long bool) error {
	if c.plan.Lane != Main || !long {
		return nil
	}
	if err := c.explore(Doubtful); err != nil {
		return err
	}
	due, err := c.due(Doubtful, c.start)
	if err == nil && due >= 0 && due < c.end() {
		c.spare = min(mostDoubtful, c.plan.Most/8)
	}
	return err
}

// serveDoubtful serves the hosts that may take a run's patience, if the batch is as long anyway or nothing
// else can be handed out. With others they are few.
func (c *composer) serveDoubtful(long bool) error {
	alone := len(c.picks) == 0 && c.now >= c.quiet()
	if c.plan.Lane != Main || !alone && !long {
		return nil
	}
	c.meta.patient = c.now
	c.length = max(c.length, c.patience())
	c.spare = 0
	if !alone {
		c.most = len(c.served) + mostDoubtful
		defer func() { c.most = mostServed }()
	}
	return c.serveLane(Doubtful)
}

// ahead is how long ahead of its start a batch is composed at most, in milliseconds.
func ahead(longest time.Duration) int64 { return 2 * longest.Milliseconds() }

// start is when a batch that is composed now should be begun, at most so far ahead.
func (s *State) start(lane Lane, ahead int64) int64 {
	return min(max(s.now, s.meta.planned[lane]), s.now+ahead)
}

// quiet is when nothing more can be expected of the last batch: from then on one may be composed of
// what may take a run's patience alone.
func (s *State) quiet() int64 { return s.meta.planned[Main] + s.rules.Patience.Milliseconds() }

// longestDoubt is how long what may take a run's patience waits for a long batch at most, in
// milliseconds.
const longestDoubt = 5 * 60_000

// serveLane serves the hosts of a lane.
func (c *composer) serveLane(lane Lane) error {
	c.lane, c.pending = lane, c.pendingOf(lane)
	for band := 0; band < bands && !c.full(); band++ {
		if c.empty(uint8(band)) {
			continue
		}
		if err := c.band(uint8(band)); err != nil {
			return err
		}
	}
	return nil
}

// empty tells whether a band is without hosts, as far as memory tells.
func (c *composer) empty(band uint8) bool {
	return c.set.Empty() && c.later[band] == nil && (len(c.pending) == 0 || c.pending[band] == nil)
}

// release puts the hosts that were served back into the ready lists, from the time on at which they
// have been asked for what they were given.
func (c *composer) release() {
	lane := c.plan.Lane
	if len(c.picks) > 0 {
		c.meta.batches[lane]++
	}
	for _, r := range c.served {
		if r.turn.got > 0 {
			if c.isLost(r) {
				r.out = 0
			}
			r.out++
			c.meta.out[r.turns()]++
			r.batch = c.meta.batches[lane]
		}
		r.listed = false
		c.relist(r)
		if r.turn.got > 0 && r.out == 1 {
			r.since = r.free
		}
		r.turn = turn{}
	}
	if len(c.picks) == 0 {
		return
	}
	c.meta.planned[lane] = c.start + c.used
	switch lane {
	case Slow:
		c.meta.planned[Slow] += c.costOfRun()
	case Main:
		c.meta.handOut(len(c.picks))
	}
}

// pendingOf are the hosts that came into the lists of a lane in this run, by band.
func (s *State) pendingOf(lane Lane) map[uint8][]*row {
	lists := map[uint8][]*row{}
	for _, r := range s.order {
		if r.moved && r.listed && r.place.lane == lane && !r.turn.in {
			lists[r.place.band] = append(lists[r.place.band], r)
		}
	}
	return lists
}

// inOrder sorts hosts as they are in a ready list.
func inOrder(list []*row) []*row {
	slices.SortFunc(list, func(a, b *row) int {
		return cmp.Or(cmp.Compare(a.place.at, b.place.at), cmp.Compare(a.host, b.host))
	})
	return list
}

// end is when the batch should be done; a host that is due before then may have a turn in it.
func (c *composer) end() int64 { return c.start + max(c.length, 1) }

// mostServed bounds the hosts that are served for a batch, whether they can be given something or not.
// If there are more, the next run goes on behind them.
const mostServed = 30_000

// mostDoubtful bounds those of them that may take all of a run's patience, each with a connection of
// fetch meanwhile: the other hosts of the batch would wait for these. Where there are no others it does
// not hold, for a crawl that ends with many dead hosts would take hours.
const mostDoubtful = 16

func (c *composer) full() bool { return c.left() <= 0 || len(c.served) >= c.most }

// left is how many URLs the batch may still have.
func (c *composer) left() int { return c.plan.Most - c.spare - len(c.picks) }

// band serves the hosts of a band: first those of its ready list, the longest unserved first, then
// those that were served in a better band and have a turn left.
func (c *composer) band(band uint8) error {
	c.stopped = nil
	pending := inOrder(c.pending[band])
	err := c.listed(band, func(p place, host uint64) (passed bool, err error) {
		for ; len(pending) > 0 && before(pending[0], p, host); pending = pending[1:] {
			if err := c.serve(pending[0], band); err != nil || c.full() {
				return false, err
			}
		}
		r, err := c.find(host)
		if err == nil && r.standsAt(p) && !r.turn.in {
			c.keep(r)
			err = c.serve(r, band)
		}
		return err == nil, err
	})
	for _, r := range append(pending, c.later[band]...) {
		if err != nil || c.full() {
			break
		}
		if r.turn.in || r.place.at < c.end() {
			err = c.serve(r, band)
		}
	}
	c.later[band] = nil
	if err == nil {
		err = c.lengthen(band)
	}
	return err
}

func before(r *row, p place, host uint64) bool {
	return r.place.at < p.at || r.place.at == p.at && r.host < host
}

// listed calls do with the entries of a band's ready list, as committed, that are due, and notes
// which of them do has passed.
func (c *composer) listed(band uint8, do func(p place, host uint64) (passed bool, err error)) error {
	read := &c.meta.read[c.lane][band]
	if err := c.places.Seek(place{c.lane, band, read.at}.key(read.host)); err != nil {
		return err
	}
	for !c.full() {
		key, _, ok, err := c.places.Next()
		if err != nil || !ok {
			return err
		}
		p, host, ok := isPlace(key)
		if !ok || p.lane != c.lane || p.band != band || p.at >= c.end() {
			return nil
		}
		passed, err := do(p, host)
		if err != nil {
			return err
		}
		if passed {
			*read = entry{p.at, host}
		}
	}
	return nil
}

// serve gives a host what it may have of a band.
func (c *composer) serve(r *row, band uint8) error {
	if !r.turn.in {
		c.allot(r)
	}
	q := r.queue(band)
	budget, err := c.budget(r)
	if err != nil {
		return err
	}
	room, most := c.room(r), min(q.tail-q.head, r.turn.left, uint64(c.left()), budget)
	if most > 0 && room.left == 0 && r.turn.got == 0 {
		c.putOff(r, room)
		return nil
	}
	if most = min(most, room.left); most > 0 {
		if err := c.take(r, q, most); err != nil {
			return err
		}
	}
	if q = r.queue(band); r.turn.left == 0 && q.head < q.tail {
		c.stopped = append(c.stopped, r)
	}
	if next := r.best(int(band) + 1); next != nil && r.turn.left > 0 && r.lane(next.band) == c.lane {
		c.later[next.band] = append(c.later[next.band], r)
	}
	return nil
}

// take takes URLs of a queue into the batch, at most so many, for which there is room.
func (c *composer) take(r *row, q *queue, most uint64) error {
	step := c.step(r)
	n, err := c.pull(r, q, most, func(line []byte) error {
		//failpoint:head-without-url if len(c.picks) == 1 { r.turn.left--; return nil }
		c.picks = append(c.picks, Pick{slices.Clone(line), c.far(r), r.turn.used})
		r.turn.used += step
		r.turn.left--
		return nil
	})
	if err != nil {
		return err
	}
	c.used = max(c.used, r.turn.used-step+c.least(r))
	r.turn.got += n
	c.room(r).left -= n
	c.promise(r, n)
	return nil
}

// strangers is the most URLs in a batch of a host that never answered.
const strangers = 4

// allot says how many URLs a host may have in this batch: as many as there is time for, few if
// nobody knows whether it answers, one if it did not answer last.
func (c *composer) allot(r *row) {
	from := max(r.free, r.hold, c.start) - c.start
	left, kept := uint64(0), uint64(0)
	switch all := c.turns(r, c.length-from); {
	case r.silent > 0:
		left = 1
	case r.asked == 0:
		left = min(max(all>>c.halvings(r), 1), strangers)
	default:
		left = c.byYield(r, all)
		kept = all - left
	}
	if from > 0 && from >= c.latest() {
		left, kept = 0, 0
	}
	r.turn = turn{in: true, left: left, kept: kept, used: from}
	//failpoint:lane-left r.turn.left = min(r.turn.left, 1)
	if left == 0 {
		r.turn.used = max(from, c.length) // its next turn is in the next batch
	}
	if left > 0 && c.tooFar(r) {
		c.setApart(r)
	}
	c.touch(r)
	c.served = append(c.served, r)
}

// turns is how many URLs a host can be asked for in so many milliseconds.
func (c *composer) turns(r *row, length int64) uint64 {
	step := c.step(r)
	if step == 0 {
		return uint64(c.plan.Most)
	}
	return uint64(max((length-c.least(r))/step, 0) + 1)
}

// latest is the time of the batch from which on no host is asked for the first time. One that may take
// a run's patience would else make the batch longer by that.
func (c *composer) latest() int64 {
	if c.lane == Doubtful {
		return c.length - c.patience()
	}
	return c.length
}

// patience is how long the batch waits for a host that does not answer, in milliseconds.
func (c *composer) patience() int64 { return min(c.rules.Patience, c.plan.Longest).Milliseconds() }

// least is what the first request to a host takes, in milliseconds: fetch waits the pause of all hosts
// before it, or the long one of this, and the answer takes its time.
func (c *composer) least(r *row) int64 {
	if c.far(r) {
		return c.step(r)
	}
	return c.rules.Pause.Milliseconds() + int64(r.took)
}

// A room is what an address may still be asked in a batch. The hosts of a registered domain of which
// no address is known count as one address.
type room struct {
	left uint64 // requests
	turn int64  // milliseconds from one request to the next, in the mean of this batch and later ones
	late int64  // hosts that were put off

	whole bool // left is that of the whole batch
}

// room returns that of a host's address.
func (c *composer) room(r *row) *room {
	if !r.turn.in {
		return c.roomOf(r)
	}
	if r.turn.room == nil {
		r.turn.room = c.roomOf(r)
	}
	return r.turn.room
}

func (c *composer) roomOf(r *row) *room {
	if c.plan.PerAddress <= 0 {
		return &room{left: uint64(c.plan.Most)}
	}
	name := addressOf(r)
	if c.rooms[name] == nil {
		n := max(time.Duration(c.length)*time.Millisecond/c.plan.PerAddress, 1)
		c.rooms[name] = &room{left: uint64(n), turn: (c.length + c.costOfRun()) / int64(n)}
	}
	return c.rooms[name]
}

// putOff has a host whose address has no room wait until those have been asked that were put off
// before it. So a run does not have to do with all hosts of an address that has many.
func (c *composer) putOff(r *row, of *room) {
	wait := min(of.late*of.turn, longestSilence.Milliseconds())
	of.late++
	r.turn.left, r.turn.kept, r.turn.used = 0, 0, max(r.turn.used, c.length+wait)
}

func addressOf(r *row) string {
	if r.address != "" {
		return r.address
	}
	return registered.Domain("http://" + r.name + "/")
}
