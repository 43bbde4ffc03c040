package bandwidth

import (
	"fmt"
	"net/netip"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/segment"
)

// Table predicts the rates of servers, and learns from downloads. It has an entry of about 300
// bytes for each address that a run uses.
//
// The trust in a server is the sum of its weights: w after the first download, and then 1 - Π(1-w)
// at the middle of the hour. Dividing by it makes the values those of the server's own downloads
// alone. The first download moves all 48 values, for nothing else is known of them. The rest of the
// trust goes to the rate of the mean server. The mean server is kept like any other, learns from
// every download (30 times slower), and is all that is known of a new server. Before the very
// first download its rate is Prior. A download that brought nothing measures nothing.
type Table struct {
	rule    Rule
	limit   float64
	known   Known
	hash    *keyed.Hash
	mean    *entry
	servers map[netip.Addr]*entry // nil: not met before
}

// Known looks up the value of a key in the committed state; segment.Set.Get is one.
type Known func(key uint64) (value []byte, ok bool, err error)

// NewTable returns a table for a limit in bytes a second. A nil known is the empty state; hash
// makes its keys.
func NewTable(limit float64, rule Rule, hash *keyed.Hash, known Known) (*Table, error) {
	if known == nil {
		known = func(uint64) ([]byte, bool, error) { return nil, false, nil }
	}
	t := &Table{rule: rule, limit: limit, known: known, hash: hash, servers: map[netip.Addr]*entry{}}
	mean, err := t.read(netip.Addr{})
	if err != nil {
		return nil, err
	}
	if mean == nil {
		mean = &entry{}
	}
	t.mean = mean
	return t, nil
}

// Meet reads what is known of a server, so that Rate can tell. It does nothing for the zero Addr,
// and for one that was met.
func (t *Table) Meet(server netip.Addr) error {
	if _, met := t.servers[server]; met || !server.IsValid() {
		return nil
	}
	e, err := t.read(server)
	t.servers[server] = e
	return err
}

func (t *Table) keyOf(server netip.Addr) uint64 { return t.hash.Sum([]byte(textOf(server))) }

func (t *Table) read(server netip.Addr) (*entry, error) {
	value, ok, err := t.known(t.keyOf(server))
	if err != nil || !ok {
		return nil, err
	}
	e, err := decode(value)
	if err != nil {
		return nil, fmt.Errorf("rates of server %v: %w", server, err)
	}
	if e.server != server {
		return nil, nil // two addresses of one key: the other's is of no use
	}
	return e, nil
}

// Rate returns the predicted rate, in bytes a second, of a download from server at now.
func (t *Table) Rate(server netip.Addr, now time.Time) float64 { return t.at(now)(server) }

// at returns a function like Rate, for many servers at one time.
func (t *Table) at(now time.Time) func(server netip.Addr) float64 {
	m := momentOf(now)
	mean := t.limit * t.rule.Prior
	if t.mean.trust > 0 {
		mean = t.mean.rate(m)
	}
	return func(server netip.Addr) float64 {
		e := t.servers[server]
		if e == nil {
			return mean
		}
		trust := float64(e.trust)
		return trust*e.rate(m) + (1-trust)*mean
	}
}

// Learn updates the table after a download of n bytes that ended at now.
func (t *Table) Learn(server netip.Addr, now time.Time, n int64, took time.Duration) {
	if n <= 0 || took <= 0 || t.rule.Gain == 0 {
		return
	}
	t.mean.learn(now, float64(n), took, meanSlower, t.rule)
	if !server.IsValid() {
		return
	}
	e := t.servers[server]
	if e == nil {
		e = &entry{server: server}
		t.servers[server] = e
	}
	e.learn(now, float64(n), took, 1, t.rule)
}

// Entries adds the entries that the run has learned to the new segment.
func (t *Table) Entries(b *segment.Entries) {
	if t.mean.learnt {
		b.Add(t.keyOf(t.mean.server), t.mean.encode())
	}
	for _, e := range t.servers {
		if e != nil && e.learnt {
			b.Add(t.keyOf(e.server), e.encode())
		}
	}
}
