package waiting

import (
	"cmp"
	"slices"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// Add takes in rec, behind those of its host and band. It tells whether it could: a URL without a
// host has no queue.
func (s *State) Add(rec *urlbatch.Record, band uint8) (ok bool, err error) {
	name := canon.Hostname(rec.URLBytes())
	if len(name) == 0 {
		return false, nil
	}
	host, link := hostKey(s.set.Hash().Sum(name)), len(s.links.links)
	if s.meta.follows {
		k := linkOf(s.set.Hash(), name, rec, s.rules.Links)
		k.enters = true
		s.links.links = append(s.links.links, k)
	}
	s.arrived.add(host, name, rec.Line(), band, link)
	return true, s.relieveArrived()
}

// takeIn counts the links of the run, where that is done, and puts what came in into the queues.
func (s *State) takeIn() error {
	if s.links.links != nil {
		if err := s.countLinks(); err != nil {
			return err
		}
	}
	if err := s.enterAll(); err != nil {
		return err
	}
	if s.links.links != nil {
		if err := s.rise(); err != nil {
			return err
		}
	}
	s.links.links, s.arrived = nil, arrivals{}
	return nil
}

// enterAll puts the records that came in into the queues.
func (s *State) enterAll() error {
	rows := s.set.Finder()
	for all := s.arrived.byHost(); len(all) > 0; {
		n := 1
		for n < len(all) && all[n].host == all[0].host {
			n++
		}
		r, err := s.hostIn(rows, all[0].host, s.arrived.all[all[0].at].hostName())
		if err == nil {
			err = s.enter(r, all[:n])
		}
		if err != nil {
			return err
		}
		if all = all[n:]; s.held >= s.most {
			if err := s.spill(); err != nil {
				return err
			}
			rows = s.set.Finder()
		}
	}
	return nil
}

// enter puts records of a host into its queues: into one behind the other, and in a queue in the order in
// which they came.
func (s *State) enter(r *row, all []arrivalOf) error {
	for i := range all {
		a := &s.arrived.all[all[i].at]
		if err := s.named(r, a.hostName()); err != nil {
			return err
		}
		if s.meta.follows {
			t := s.standingOf(a)
			t.base = a.band
			a.band = s.lift(t)
		}
		a.band = s.lower(r, a.band)
	}
	bandOf := func(i arrivalOf) uint8 { return s.arrived.all[i.at].band }
	slices.SortStableFunc(all, func(a, b arrivalOf) int { return cmp.Compare(bandOf(a), bandOf(b)) })
	size := 0 // of what is to come of a queue
	for i := range all {
		a := &s.arrived.all[all[i].at]
		if i == 0 || bandOf(all[i-1]) != a.band {
			size = s.arrived.sizeOf(all[i:])
		}
		if s.meta.follows {
			s.stand(r, s.standingOf(a), a.band, a.line(), size)
		} else {
			s.queue(r, a.band, a.line(), size)
			s.meta.entered++
		}
		size -= len(a.line())
	}
	return nil
}

// standingOf is that of the URL of an arrival, where links are counted.
func (s *State) standingOf(a *arrival) *standing { return s.links.of(s.links.links[a.link].to) }

// queue puts a line into a queue, and returns its position. So many bytes of lines are to come, with it.
func (s *State) queue(r *row, band uint8, line []byte, size int) (at uint64) {
	q := r.queue(band)
	s.held += q.add(line, size)
	s.touch(r)
	return q.tail - 1
}

// add appends a line, which ends in a newline; so many bytes of lines are to come, with it. It returns the
// memory that this took, in bytes.
func (q *queue) add(line []byte, size int) (took int) {
	if n := len(q.fresh); n == 0 || q.fresh[n-1].size+len(line) > chunkBytes {
		q.fresh = append(q.fresh, chunk{})
	}
	c := &q.fresh[len(q.fresh)-1]
	before := cap(c.room)
	if before == 0 {
		c.room = make([]byte, maxChunkHead, maxChunkHead+max(min(size, chunkBytes), len(line)))
	}
	c.add(line, q.tail)
	q.tail++
	return cap(c.room) - before
}

// settle takes in what came in, and puts the hosts that changed into the ready lists.
func (s *State) settle() error {
	if err := s.takeIn(); err != nil {
		return err
	}
	s.listChanged()
	return nil
}

// listChanged puts the hosts that changed into the ready lists.
func (s *State) listChanged() {
	some := s.touched
	s.touched = nil
	for _, r := range some {
		r.touched = false
		s.list(r)
		s.count(r)
	}
}

// touch notes that a host changes.
func (s *State) touch(r *row) {
	r.changed = true
	if !r.touched {
		r.touched = true
		s.touched = append(s.touched, r)
	}
}

// list puts a host into the ready list of its best band, from the time on at which it may be asked.
// If it stands in the list of that band or of a better one, it stays there: it is found, and goes
// on to the right one, when its turn comes.
func (s *State) list(r *row) {
	best := r.best(0)
	if best == nil {
		r.listed = false
		return
	}
	s.chooseLane(r, best.band)
	lane := r.lane(best.band)
	if r.listed && r.place.lane == lane && r.place.band <= best.band {
		return
	}
	s.place(r, lane, best.band, max(r.free, r.hold, s.now))
}

// place puts r into a ready list, from a time on, but behind what was read of that.
func (s *State) place(r *row, lane Lane, band uint8, at int64) {
	p := place{lane, band, at}
	if s.meta.passed(p, r.host) {
		p.at = s.meta.read[lane][band].at + 1
	}
	r.listed, r.place, r.moved = true, p, true
	s.touch(r)
}

// outAtMost is how long after its promised time a batch of a host is taken for lost, in milliseconds:
// it may have been dropped.
const outAtMost = 3_600_000

// chooseLane moves a host to the lane that is right for it, if no batch is out that has URLs of it: the
// stages of fetch of two lanes would ask it at the same time. Slow is right if its pause is long, and if
// it may take a run's patience: it did not answer, or its best URLs, which are in band, failed before.
// Where there is no lane Slow any more, its hosts leave it at their next turn.
func (s *State) chooseLane(r *row, band uint8) {
	slow := s.rules.Slow > 0 && (r.silent > 0 || band >= failed || s.step(r) > s.rules.Slow.Milliseconds())
	//failpoint:lane-left slow, r.out, r.free = s.now>>8&1 == int64(r.host&1), 0, 0
	if slow != r.slow && (s.rules.Slow == 0 || r.out == 0 || s.now > r.free+outAtMost) {
		s.forgetOut(r, r.out)
		r.slow, r.batch = slow, 0
	}
}

// isOut tells whether a batch is out that has URLs of a host. None is if fetch was heard of its last batch,
// or of a later one of its lane: what is still missing was dropped, or resolve did not tell that it refused
// all URLs of the host.
func (s *State) isOut(r *row) bool {
	return r.out > 0 && r.batch > s.meta.done[r.turns()]
}

// isLost tells whether the batches that are out with URLs of a host will not come: fetch was heard of a
// later one long after their time. Not at once, for one that failed is tried again, behind later ones.
func (s *State) isLost(r *row) bool { return !s.isOut(r) && s.now > r.since+lateAtMost }

// turns is the lane that has the batches of a host.
func (r *row) turns() Lane {
	if r.slow {
		return Slow
	}
	return Main
}

// lane is that of a host whose best URLs are in a band, as its last visit says.
func (r *row) lane(band uint8) Lane {
	switch {
	case r.slow:
		return Slow
	case r.silent > 0 || band >= failed:
		return Doubtful
	}
	return Main
}

// step is how long a host takes for a URL, in milliseconds: the pause between two requests, and the
// answer.
func (s *State) step(r *row) int64 {
	//failpoint:hosts-unpaced return 0
	if r.pause == 0 && r.took == 0 {
		return s.rules.Pause.Milliseconds()
	}
	return int64(r.pause) + int64(r.took)
}

// count notes what waits of the host now.
func (s *State) count(r *row) {
	now := r.part()
	s.meta.move(r.was, now)
	r.was = now
}
