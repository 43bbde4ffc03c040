package waiting

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/web/canon"
)

// A Host is what the state knows of a host, as people ask for it.
type Host struct {
	Name     string
	Address  string        // at which it was last asked
	Asked    uint64        // requests in all
	Pause    time.Duration // between two requests, as fetch saw it last
	Took     time.Duration // of a mean answer, as fetch saw it last
	Step     time.Duration // that a URL is expected to take, as often as its share is a part of a turn
	Silent   uint32        // runs of fetch in a row that had no answer from it
	Held     time.Time     // before which it is left alone; zero: it is not
	Slow     bool          // it is in the lane Slow
	Yield    float64       // what its last answers were worth; 1 where none was judged
	AllYield float64       // what the last answers of all hosts were worth
	Share    int           // it gets one part of so many of its turn, for its yield is low; 1: all of it
	Waiting  uint64        // URLs
	Had      Budget        // what was fetched of it
	// What was fetched of its domain; Hosts does not say. Zero where there is no budget for domains.
	DomainHad Budget
	Next      time.Time // when the next of them can be asked for: now or later
}

// farthest is the longest time that After reckons with.
const farthest = 100 * 365 * 24 * time.Hour

// After is when the host can be asked for one more URL after so many.
func (h *Host) After(urls uint64) time.Time {
	if h.Step > 0 && urls > uint64(farthest/h.Step) {
		return h.Next.Add(farthest)
	}
	return h.Next.Add(time.Duration(urls) * h.Step)
}

// shown is what people are told of a row.
func (s *State) shown(r *row) Host {
	ms := func(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
	h := Host{Name: r.name, Address: r.address, Asked: r.asked, Pause: ms(int64(r.pause)), Took: ms(int64(r.took)),
		Step: ms(s.step(r) << s.halvings(r)), Silent: r.silent, Waiting: r.waiting() - r.stale, Yield: r.yield(),
		Share: 1 << s.halvings(r), AllYield: float64(s.meta.worth) / full}
	h.Had = Budget{r.answered, r.bytes}
	next := max(r.free, r.hold, s.now)
	if r.listed {
		h.Slow = r.place.lane == Slow
		next = max(next, r.place.at)
	}
	if r.hold > s.now {
		h.Held = s.systemTime(r.hold)
	}
	h.Next = s.systemTime(next)
	return h
}

// systemTime is a time of the state by the clock of the system.
func (s *State) systemTime(at int64) time.Time { return time.UnixMilli(at - s.meta.skew) }

// Hosts calls see with each host of the state, in the order of their keys.
func (s *State) Hosts(ctx context.Context, see func(*Host) error) error {
	rows, err := walkRows(s.set.Cursor(), 0)
	for err == nil && ctx.Err() == nil {
		host, value, err := rows.next()
		if err != nil || host == pastRows {
			return err
		}
		r, err := unpackRow(host, value)
		if err != nil {
			return err
		}
		h := s.shown(r)
		if err := see(&h); err != nil {
			return err
		}
	}
	return cmp.Or(err, ctx.Err())
}

// A Found is where a URL waits.
type Found struct {
	Line   []byte // of its record
	Band   uint8
	Better uint64       // URLs of its host that go before it, for they are in better bands
	Before uint64       // URLs of its host and band that go before it
	Failed bool         // it goes with what failed before, which may take a run's patience
	Links  *order.Links // to the URL; nil where they are not counted
}

// Find returns what is known of the hosts of URLs, by name, and all places at which each URL waits. It
// reads the rows of the hosts and their chunks. It takes all URLs of the hosts out: after it the state
// is good for nothing but Close.
func (s *State) Find(urls ...string) (hosts map[string]*Host, found map[string][]Found, err error) {
	hosts, found = map[string]*Host{}, map[string][]Found{}
	wanted := map[string]bool{}
	for _, url := range urls {
		wanted[url] = true
	}
	for _, url := range urls {
		name := canon.Hostname(url)
		r, err := s.row(hostKey(s.set.Hash().Sum([]byte(name))))
		if err != nil {
			return nil, nil, err
		}
		if r == nil || r.name != name || hosts[name] != nil {
			continue
		}
		h := s.shown(r)
		hosts[name] = &h
		d, err := s.domainOf(r)
		if err != nil {
			return nil, nil, err
		}
		h.DomainHad = Budget{d.answered, d.bytes}
		if err := s.findOf(r, wanted, found); err != nil {
			return nil, nil, err
		}
	}
	return hosts, found, nil
}

// findOf adds the places of wanted URLs in the queues of r to found.
func (s *State) findOf(r *row, wanted map[string]bool, found map[string][]Found) error {
	better := uint64(0)
	for i := range r.queues {
		q := &r.queues[i]
		n, doubtful := uint64(0), r.lane(q.band) == Doubtful
		err := s.walk(r, q, func() bool { return q.head < q.tail }, func(line []byte) error {
			t, live, err := s.live(r, q, line)
			if err != nil || !live {
				return err
			}
			if url := string(urlOf(line)); wanted[url] {
				f := Found{Line: bytes.Clone(line), Band: q.band, Better: better, Before: n, Failed: doubtful}
				if t != nil {
					f.Links = &t.links
				}
				found[url] = append(found[url], f)
			}
			n++
			return nil
		})
		if err != nil {
			return err
		}
		better += n
	}
	return nil
}
