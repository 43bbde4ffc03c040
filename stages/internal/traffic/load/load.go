// Package load limits the share of a crawl's requests that go to a single host.
//
// With a delay of a second a host still gets 3,600 requests an hour if all links of the crawl lead
// there. The X4 crawler therefore put back the URLs of a host if the host would get more than 0.2 %
// of all activity over a period of roughly one hour, until the load was expected to fall (Chung and
// Clarke, Topic-Oriented Collaborative Crawling, CIKM 2002, section 6). The rule here, for the
// requests in the last hour, is
//
//	a host may get  max(share, 2/H) · max(total, 41,667)  requests
//
// total is the number of all requests. The crawler in the paper made a million requests a day, or
// 41,667 an hour, of which 0.2 % are 83. A smaller crawl is treated as if it had that size, because
// a large share of few requests is not a high load.
//
// If several crawlers share the Web, each counts its own requests and assumes that the others make
// as many. So the rule holds for all of them together, and each of N crawlers uses 41,667/N.
//
// H is the number of active hosts: hosts requested in the last quarter of an hour, and hosts with
// URLs in the run. Each of them may have twice its fair share. This matters if there are fewer than
// 1,000. A crawl of one host never waits. A crawl of twenty hosts may make 4,166 requests an hour
// to each, which is more than the usual delay of a second allows. When only a few large hosts
// remain, a crawl can soon continue with them, even if there were many hosts an hour ago.
//
// A Ledger counts requests for one run, in slots of five minutes. The last hour is the current slot
// and the eleven slots before it. The Ledger also has the time until which a host must not be
// requested (because of Retry-After, or because it is slow), since other batches have URLs of the
// host too. A run writes the state at its end, and the next run reads it. A run that is rolled back
// writes no state. This never makes a wait shorter than the delay, because the state only makes
// waits longer.
//
// # Format, version 1
//
// The state consists of segments with values (package segment). Other entries in the same state
// have another kind. Numbers are unsigned varints unless noted otherwise. A slot is a time in unix
// seconds divided by 300.
//
// The key of a host's entry is the hash of "load HOST" (package keyed). The value is
//
//	1 byte   kind = 'h'
//	1 byte   version = 1
//	         slot of its last request
//	         unix seconds until which the host must not be requested, or 0
//	         12 numbers: its requests in that slot and in the eleven before it, the latest first
//
// The key of the entry for all hosts together is the hash of "load". The value is
//
//	1 byte   kind = 't'
//	1 byte   version = 1
//	         slot of the last request
//	         12 numbers: requests, as above
//	         12 numbers: hosts whose last request was in that slot
//
// testdata/v1 has one entry of each kind, which stays readable for ever. Merging deletes entries
// with no data from the last hour. Two hosts with the same key share their load, which only makes
// waits longer.
package load

import (
	"fmt"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
)

// The numbers of the rule.
const (
	slotLength = 5 * time.Minute
	slots      = 12        // an hour
	recent     = 3         // slots in which a host has been asked that is being asked
	leastTotal = 1e6 / 24. // requests an hour of the paper's crawler
	fair       = 2         // times its fair share
)

// Longest is the longest time that Room tells to wait: by then the number of hosts may have fallen.
const Longest = 10 * time.Minute

// Known looks up the value of a key in the committed state; segment.Set.Get is one.
type Known func(key uint64) (value []byte, ok bool, err error)

// A Ledger counts the requests of one run. It holds some 150 bytes for each host that the
// run has to do with. It is not safe for concurrent use.
type Ledger struct {
	share float64
	least float64 // requests an hour that this crawler is reckoned to make
	known Known
	hash  *keyed.Hash
	start int64 // slot in which the run began
	all   total
	hosts map[string]*host
	order []string // of hosts, as first met
	fresh int      // hosts met that were not being asked before
}

// New returns the ledger of a run that begins at now. share is the share of the requests that a
// host may always have, as 0.002; 0 or less bounds nothing. peers is the number of crawlers that
// share the Web, this one among them, at least 1. hash makes the keys of the state.
func New(now time.Time, share float64, peers int, hash *keyed.Hash, known Known) (*Ledger, error) {
	l := &Ledger{share: share, least: leastTotal / float64(max(peers, 1)), known: known, hash: hash,
		start: slotOf(now), hosts: map[string]*host{}}
	value, ok, err := known(totalKey(hash))
	if err == nil && ok {
		err = l.all.unpack(value)
	}
	if err != nil {
		return nil, fmt.Errorf("load of the crawl: %w", err)
	}
	l.all.forgetFuture(l.start)
	l.all.advance(l.start)
	return l, nil
}

// Meet reads what is known of a host. Each host is met before anything else is asked or told of
// it, and all are before Room is asked.
func (l *Ledger) Meet(name string) error {
	if l.hosts[name] != nil {
		return nil
	}
	h := &host{}
	value, ok, err := l.known(keyOf(l.hash, name))
	if err == nil && ok {
		err = h.unpack(value)
	}
	if err != nil {
		return fmt.Errorf("load of host %s: %w", name, err)
	}
	h.forgetFuture(l.start)
	l.hosts[name] = h
	l.order = append(l.order, name)
	if h.slot <= l.start-recent {
		l.fresh++
	}
	return nil
}

// Hosts are those that were met, in that order.
func (l *Ledger) Hosts() []string { return l.order }

// Room tells how often the host may be asked in this run, and after what time from now to
// look again for the URLs that exceed that.
func (l *Ledger) Room(name string, now time.Time) (n int, wait time.Duration) {
	limit := l.limit()
	counts := l.hosts[name].counts
	counts.advance(slotOf(now))
	n = max(limit-counts.sum(), 0)
	end := slotEnd(now)
	for counts.sum() >= limit && wait < Longest {
		wait = end.Sub(now)
		end = end.Add(slotLength)
		counts.advance(counts.slot + 1)
	}
	if wait == 0 {
		wait = Longest
	}
	return n, min(wait, Longest)
}

// limit is how many requests of the last hour may have gone to one host.
func (l *Ledger) limit() int {
	if l.share <= 0 {
		return 1 << 30
	}
	asked := max(l.all.recentHosts()+l.fresh, 1)
	return max(int(max(l.share, fair/float64(asked))*max(float64(l.all.sum()), l.least)), 1)
}

// Held tells until when the host is to be left alone; zero if it is not.
func (l *Ledger) Held(name string) time.Time {
	if until := l.hosts[name].held; until > 0 {
		return time.Unix(until, 0)
	}
	return time.Time{}
}

// Hold notes that the host is to be left alone until then.
func (l *Ledger) Hold(name string, until time.Time) {
	h := l.hosts[name]
	h.held = max(h.held, until.Unix()+1)
	h.changed = true
}

// Count notes that a request to the host has been started at now.
func (l *Ledger) Count(name string, now time.Time) {
	h, slot := l.hosts[name], slotOf(now)
	l.all.count(h.slot, slot)
	h.add(slot)
	h.changed = true
}

// Entries adds what this run changes in the state to b.
func (l *Ledger) Entries(b *segment.Entries) {
	changed := false
	for name, h := range l.hosts {
		if h.changed {
			changed = true
			b.Add(keyOf(l.hash, name), h.pack())
		}
	}
	if changed {
		b.Add(totalKey(l.hash), l.all.pack())
	}
}

func slotOf(t time.Time) int64 { return t.Unix() / int64(slotLength/time.Second) }

// slotEnd is when the slot of t is over.
func slotEnd(t time.Time) time.Time { return time.Unix((slotOf(t)+1)*int64(slotLength/time.Second), 0) }
