package waiting

import (
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
	if s.meta.follows {
		s.links.enter(s.set.Hash(), name, rec, band, s.rules.Links)
		return true, s.relieveLinks()
	}
	r, err := s.host(name)
	if err != nil {
		return false, err
	}
	s.queue(r, s.lower(r, band), rec.Line())
	s.meta.entered++
	return true, s.relieve()
}

// queue puts a record into a queue, and returns its position.
func (s *State) queue(r *row, band uint8, line []byte) (at uint64) {
	s.line = appendLine(s.line[:0], r.name, line)
	q := r.queue(band)
	s.held += q.add(s.line)
	r.changed = true
	return q.tail - 1
}

// add appends a line, which ends in a newline. It returns the memory that this took, in bytes.
func (q *queue) add(line []byte) (took int) {
	if n := len(q.fresh); n == 0 || q.fresh[n-1].size+len(line) > chunkBytes {
		q.fresh = append(q.fresh, chunk{})
	}
	c := &q.fresh[len(q.fresh)-1]
	before := cap(c.lines)
	if before == 0 {
		c.lines = make([]byte, 0, max(firstLines, len(line)))
	}
	c.lines = append(c.lines, line...)
	c.n, c.last, c.size = c.n+1, q.tail, len(c.lines)
	q.tail++
	return cap(c.lines) - before
}

// firstLines is the room for lines that a chunk has at first, in bytes.
const firstLines = 256

// settle puts the hosts that changed into the ready lists.
func (s *State) settle() {
	for _, r := range s.order {
		if r.changed {
			s.list(r)
			s.count(r)
		}
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
	r.listed, r.place, r.changed = true, p, true
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
	//failpoint:lane-left r.slow = !r.slow
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
