package segment

import (
	"cmp"
	"slices"
)

// Has tells which of keys, which ascend, are in the set: it sets found of each that is, and asks only
// about those that are not set. The largest segment is asked first, for it has the most of them.
// (For a state with values see Get: there the newest segment is the first.)
func (s *Set) Has(keys []uint64, found []bool) error {
	bySize := slices.SortedFunc(slices.Values(s.segments), func(a, b *Reader) int { return cmp.Compare(b.total, a.total) })
	for _, r := range bySize {
		if err := r.has(keys, found); err != nil {
			return err
		}
	}
	return nil
}

// has is Has of one segment. Where a large segment should have a key is seldom in the processor's cache. So first it
// is found out for many keys where they should be, then all these places are read, none of which has to wait for
// another, then those where they should be by what was read there, and only then the keys are looked for.
func (r *Reader) has(keys []uint64, found []bool) error {
	if r.blocks() == 0 {
		return nil
	}
	var all [64]spot
	at := place{r: r, i: -1, next: r.first(0)}
	for k := 0; k < len(keys); {
		spots := all[:0]
		for ; k < len(keys) && len(spots) < len(all); k++ {
			if found[k] {
				continue
			}
			if at.forward(keys[k]); at.i < 0 {
				continue
			}
			spots = spots[:len(spots)+1]
			if err := spots[len(spots)-1].set(&at, k, keys[k]); err != nil {
				return err
			}
		}
		for i := range spots {
			spots[i].read()
		}
		for i := range spots {
			spots[i].correct()
		}
		for i := range spots {
			found[spots[i].k] = spots[i].has()
		}
	}
	return nil
}

// place is a block of a segment, on the way from the first to the last.
type place struct {
	r    *Reader
	i    int    // the block; -1: in front of the first
	next uint64 // the first key of the block behind it
}

// forward goes on to the last block whose first key is not above key, which is not below those before.
func (p *place) forward(key uint64) {
	for step := 0; key >= p.next && p.i+1 < p.r.blocks(); step++ {
		if p.i++; step == 8 { // mostly it is nearer
			p.i = p.r.findBlock(key)
		}
		p.next = 1<<64 - 1
		if p.i+1 < p.r.blocks() {
			p.next = p.r.first(p.i + 1)
		}
	}
}

// spot is where in a block a key should be.
type spot struct {
	k     int     // the key's place among those that are asked about
	block opened  // that should have it
	above uint64  // by how much it is above the base of the block's keys
	scale float64 // how many keys of the block there are to one step of a key
	guess int
	there uint64 // by how much the key at guess is above the base
}

// set makes s the spot of key, which is the one at k, in the block at p: keys are hashes and lie evenly.
func (s *spot) set(p *place, k int, key uint64) error {
	if err := p.r.block(p.i, &s.block); err != nil {
		return err
	}
	s.k, s.above = k, key-s.block.keys.base
	s.scale = float64(s.block.keys.n) / float64(p.next-s.block.first)
	s.guess = s.block.keys.clamp(int(float64(key-s.block.first) * s.scale))
	return nil
}

func (s *spot) read() { s.there = s.block.keys.above(s.guess) }

// correct goes where the key should be, seen from the guess: of hashes that one is 10 keys off in the mean, and this one 2.
func (s *spot) correct() {
	s.guess = s.block.keys.clamp(s.guess + int(float64(int64(s.above-s.there))*s.scale))
	s.read()
}

// has tells whether the block has the key. It is near the guess, so a few steps of one are tried first, which a processor
// foresees.
func (s *spot) has() bool {
	const near = 48
	keys, at, there := &s.block.keys, s.guess, s.there
	if there < s.above {
		for last := min(keys.n-1, at+near); there < s.above && at < last; {
			at++
			there = keys.above(at)
		}
		if there < s.above && at < keys.n-1 {
			return s.hasFar(at)
		}
	} else {
		for first := max(0, at-near); there > s.above && at > first; {
			at--
			there = keys.above(at)
		}
		if there > s.above && at > 0 {
			return s.hasFar(at)
		}
	}
	return there == s.above
}

// hasFar tells whether the block has the key, which is not near at.
func (s *spot) hasFar(at int) bool {
	keys := &s.block.keys
	key := keys.base + s.above
	at = keys.lowerBound(at, key)
	return at < keys.n && keys.at(at) == key
}
