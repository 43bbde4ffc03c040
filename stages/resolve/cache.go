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

// A cache is the entries of one run's origins: those of the state that are good, and those
// that the run has renewed.
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

// load looks origins up in the state. Afterwards entries has what is there, good or not. An
// entry stands under the origin that it names, so two origins of one key do no harm.
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

// stale lists the origins whose entry is absent or no longer good by p's rules.
func (c *cache) stale(origins []string, p *prober, now time.Time) []string {
	var stale []string
	for _, origin := range origins {
		if e := c.entries[origin]; e == nil || !e.good(p, now) {
			stale = append(stale, origin)
		}
	}
	return stale
}

// pinShare of the ttl is the least that a pin still has to live when it is given out:
// else it would expire on its way to the fetcher.
const pinShare = 24

// clockSlack is by how much the clocks of two runs may differ.
const clockSlack = time.Minute

// good tells whether e may be used instead of asking. One that is to last for longer than this run
// would have it is not: it was written under a longer -ttl, or by a clock that was wrong.
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

// save writes the renewed entries as a new segment of the state. Merging drops those that have
// expired, ttl being how long they last, so the state holds the origins of some days and not of the
// whole crawl.
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
