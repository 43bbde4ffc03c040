package main

import (
	"slices"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/traffic/again"
)

// A cache has the entries for the origins of one run: good entries from the state, and entries that
// the run has renewed.
type cache struct {
	set     *segment.Set
	codec   *codec
	entries map[string]*entry
}

func openCache(list string, hash *keyed.Hash) (*cache, error) {
	codec, err := newCodec()
	if err != nil {
		return nil, err
	}
	set, err := segment.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	return &cache{set, codec, map[string]*entry{}}, nil
}

// load looks up origins in the state. It adds all entries that it finds to c.entries, good or not.
// An entry is stored under the origin that it names, so two origins with the same key do no harm.
func (c *cache) load(origins []string) error {
	keys := make([]uint64, len(origins))
	for i, origin := range origins {
		keys[i] = keyOf(c.set.Hash(), origin)
	}
	slices.Sort(keys)
	for _, key := range keys { // ascending, so that the files are touched in order
		value, ok, err := c.set.Get(key)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if e, err := c.codec.unpack(value); err == nil {
			c.entries[e.origin] = e
		}
	}
	return nil
}

// stale returns the origins whose entry is absent or no longer good by the rules of p.
func (c *cache) stale(origins []string, p *prober, now time.Time) []string {
	var stale []string
	for _, origin := range origins {
		if e := c.entries[origin]; e == nil || !e.good(p, now) {
			stale = append(stale, origin)
		}
	}
	return stale
}

// A pin must have at least a pinShare-th of the ttl left when a URL gets it. Otherwise it would
// expire on the way to fetch.
const pinShare = 24

// clockSlack is the largest allowed difference between the clocks of two runs.
const clockSlack = time.Minute

// good reports whether e may be used without asking again. An entry that expires later than one
// written now is not good: it was written with a longer -ttl or by a wrong clock.
func (e *entry) good(p *prober, now time.Time) bool {
	target, named := p.dialer.Named(e.origin + "/")
	if e.named != named || named && !slices.Contains(e.addrs, target) {
		return false
	}
	least, most := time.Duration(0), again.Longest
	switch e.kind {
	case known:
		least, most = p.ttl/pinShare, p.ttl
	case noHost:
		most = p.ttl / noHostShare
	}
	left := e.expiry.Sub(now)
	return left > least && left <= most+clockSlack
}

// save writes the renewed entries to a new segment of the state. Merging deletes entries older than
// ttl, so the state holds the origins of some days and not of the whole crawl.
func (c *cache) save(files *output.Run, path string, ttl time.Duration, rep *report.Report) error {
	var b segment.Entries
	for origin, e := range c.entries {
		if e.renewed && e.kind != private {
			b.Add(keyOf(c.set.Hash(), origin), pack(e))
		}
	}
	now := time.Now()
	c.set.Keep = func(value []byte) bool { return useful(value, now, ttl) }
	return c.set.Append(files, path, b, rep)
}
