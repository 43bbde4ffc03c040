package waiting

import (
	"context"
	"fmt"

	"multitext/stages/internal/state/ordered"
)

// Check reads the whole state and calls fault with each thing that is not as it must be. It first has
// Verify judge the entries of each segment; where they are whole, it judges what they say together:
//
//   - The URLs that wait by the rows are as many as came in and were not handed out, and those that
//     are stale (counted.go). A row notes no more of these than it has records.
//   - Where links are counted, a URL that waits by its own entry is in the queue that this names.
//   - Each of them is in one chunk, and each chunk is of a queue that its host has.
//   - A host with URLs stands in a ready list, in that of its best band or of a better one. Its entry
//     is there and was not passed over. A host without URLs stands in none.
//   - The backlogs of each lane are those that the rows give.
//   - The key of a host or domain is the hash of its name.
//
// Check keeps one row in memory. Its error is about what it cannot read.
func (s *State) Check(ctx context.Context, fault func(error)) error {
	if err := s.set.Verify(Verify); err != nil {
		fault(err)
		return nil
	}
	rows, err := walkRows(s.set.Cursor(), 0)
	if err != nil {
		return err
	}
	c := &checker{State: s, fault: fault, walk: rows}
	for walk := s.set.Cursor(); ctx.Err() == nil; {
		key, value, ok, err := walk.Next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := c.entry(key, value); err != nil {
			return err
		}
	}
	if err := c.rowOf(pastRows); err != nil {
		return err
	}
	c.sums()
	return ctx.Err()
}

// A checker is one Check.
type checker struct {
	*State
	fault func(error)

	walk  rowWalk
	row   *row     // whose chunks follow, or may; nil in front of the first
	found []uint64 // of each of its queues: the position up to which its URLs were found in chunks
	rows  meta     // hosts, by what they have waiting, URLs that entered, and stale ones, as the rows say

	standings uint64 // URLs that wait, as their own entries say
}

func (c *checker) faultf(format string, args ...any) { c.fault(fmt.Errorf(format, args...)) }

// entry takes in an entry. Chunks come in the order of their hosts, and those of a queue in order.
func (c *checker) entry(key ordered.Key, value []byte) error {
	if host, band, last, ok := isChunk(key); ok {
		chunk, err := parseChunk(last, value)
		if err == nil {
			err = c.rowOf(host)
		}
		if err == nil {
			c.chunk(host, band, &chunk)
		}
		return err
	}
	if isURL(key) {
		if err := c.rowOf(key.Hi); err != nil {
			return err
		}
		return c.standing(key, value)
	}
	if isDomain(key) {
		return c.domain(key, value)
	}
	return nil
}

// rowOf goes on to the row of a host, or that behind it; the rows on the way are judged.
func (c *checker) rowOf(host uint64) error {
	for c.row == nil || c.row.host < host {
		c.endRow()
		at, value, err := c.walk.next()
		if err != nil {
			return err
		}
		if at == pastRows {
			c.row, c.found = &row{host: at}, nil
			return nil
		}
		if c.row, err = unpackRow(at, value); err != nil {
			return err
		}
		c.found = c.found[:0]
		for _, q := range c.row.queues {
			c.found = append(c.found, q.head)
		}
		c.rows.move(part{}, c.row.was)
		c.rows.entered += c.row.waiting()
		c.rows.stale += c.row.stale
		if err := c.place(); err != nil {
			return err
		}
	}
	return nil
}

// place judges the key of the row and where it stands in the ready lists.
func (c *checker) place() error {
	r := c.row
	if key := hostKey(c.set.Hash().Sum([]byte(r.name))); key != r.host {
		c.faultf("host %q: its key is %016x, and its name has %016x", r.name, r.host, key)
	}
	for i := range r.queues {
		if i > 0 && r.queues[i-1].band >= r.queues[i].band {
			c.faultf("host %q: its queue %d is of band %d, behind one of band %d", r.name, i, r.queues[i].band,
				r.queues[i-1].band)
		}
	}
	if r.stale > r.waiting() {
		c.faultf("host %q: %d records are stale, of %d", r.name, r.stale, r.waiting())
	}
	best := r.best(0)
	if best == nil || !r.listed {
		if r.listed != (best != nil) {
			c.faultf("host %q: %d URLs wait, and it is in a ready list: %v", r.name, r.waiting(), r.listed)
		}
		return nil
	}
	if r.place.lane >= lanes || r.place.band > best.band {
		c.faultf("host %q: it is in the ready list of lane %d and band %d, and has URLs of band %d", r.name,
			r.place.lane, r.place.band, best.band)
		return nil
	}
	_, ok, err := c.set.Get(r.place.key(r.host))
	switch {
	case err != nil:
		return err
	case !ok:
		c.faultf("host %q: its entry in the ready list of lane %d and band %d is missing", r.name, r.place.lane,
			r.place.band)
	case c.meta.passed(r.place, r.host):
		c.faultf("host %q: its entry in the ready list of lane %d and band %d was passed over", r.name, r.place.lane,
			r.place.band)
	}
	return nil
}

// chunk holds a chunk against the queue that it is of.
func (c *checker) chunk(host uint64, band uint8, of *chunk) {
	at := -1
	if c.row != nil && c.row.host == host {
		for i, q := range c.row.queues {
			if q.band == band {
				at = i
			}
		}
	}
	if at < 0 {
		c.faultf("host %016x, band %d: URLs %d to %d are in a chunk, and no row has such a queue", host, band,
			of.first(),
			of.last)
		return
	}
	q := &c.row.queues[at]
	if of.last < q.head {
		return // all were handed out; a merge drops it
	}
	name, first := c.row.name, max(of.first(), q.head)
	switch next := c.found[at]; {
	case of.last >= q.tail:
		c.faultf("host %q, band %d: URL %d is in a chunk, and the queue ends in front of %d", name, band, of.last,
			q.tail)
	case first > next:
		c.faultf("host %q, band %d: URLs %d to %d are in no chunk", name, band, next, first-1)
	case first < next:
		c.faultf("host %q, band %d: URLs %d to %d are in two chunks", name, band, first, next-1)
	}
	c.found[at] = of.last + 1
}

// standing judges where the record of a URL is.
func (c *checker) standing(key ordered.Key, value []byte) error {
	t := &standing{}
	if err := t.unpack(value); err != nil || t.mode != waits {
		return err
	}
	c.standings++
	if c.row != nil && c.row.host == key.Hi {
		for _, q := range c.row.queues {
			if q.band == t.band && q.head <= t.at && t.at < q.tail {
				return nil
			}
		}
	}
	c.faultf("host %016x, band %d: URL %d waits by its own entry, and is not in that queue", key.Hi, t.band, t.at)
	return nil
}

// domain judges the key of a registered domain.
func (c *checker) domain(key ordered.Key, value []byte) error {
	d := &domain{}
	if err := d.unpack(value); err != nil {
		return err
	}
	if want := domainKey(c.set.Hash().Sum([]byte(d.name))); key != want {
		c.faultf("domain %q: its key is %v, and its name has %v", d.name, key, want)
	}
	return nil
}

// endRow judges the row whose chunks have all come; there may be none yet.
func (c *checker) endRow() {
	if c.row == nil {
		return
	}
	for i, q := range c.row.queues {
		if c.found[i] < q.tail {
			c.faultf("host %q, band %d: URLs %d to %d are in no chunk", c.row.name, q.band, c.found[i], q.tail-1)
		}
	}
}

// sums compares what the rows give together with what is noted of all hosts.
func (c *checker) sums() {
	if n := c.Waiting(); n+c.meta.stale != c.rows.entered {
		c.faultf("%d URLs wait by the rows of their hosts; %d came in and %d were handed out, which leaves %d, "+
			"and %d are stale",
			c.rows.entered, c.meta.entered, c.meta.taken, n, c.meta.stale)
	}
	if c.rows.stale > c.meta.stale { // rows of version 1 note none
		c.faultf("%d records are stale by the rows of their hosts, and %d in all", c.rows.stale, c.meta.stale)
	}
	if n := c.Waiting(); c.standings > n {
		c.faultf("%d URLs wait by their own entries, and %d in all", c.standings, n)
	}
	for lane := range c.rows.paces {
		rows, noted := &c.rows.paces[lane], &c.meta.paces[lane]
		for class := range rows.of {
			if a, b := rows.of[class], noted.of[class]; a != b {
				c.faultf("lane %d, hosts that are busy for less than %d ms have %d URLs, %d in 1000 s; %d and %d "+
					"are noted",
					lane, endOf(class), a.urls, a.rate, b.urls, b.rate)
			}
		}
		if a, b := rows.new, noted.new; a != b {
			c.faultf("lane %d, %d hosts of unknown pace have %d URLs; %d and %d are noted", lane, a.rate, a.urls,
				b.rate, b.urls)
		}
	}
}
