package segment

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Has tells which of keys, which ascend, are in the set: it sets found of each that is, and asks
// only about those that are not set. The largest segment is asked first, for it has the most of
// them. (For a state with values see Get: there the newest segment is the first.)
func (s *Set) Has(keys []uint64, found []bool) error {
	larger := func(a, b *Reader) int { return cmp.Compare(b.Len(), a.Len()) }
	bySize := slices.SortedFunc(slices.Values(s.segments), larger)
	for _, r := range bySize {
		if err := r.has(keys, found); err != nil {
			return err
		}
	}
	return nil
}

// has is Has of one segment. The place where a large segment should have a key is seldom in the
// processor's cache. So the places of many keys are worked out first, then all of them are read,
// none of which has to wait for another, then the better places that follow from what was read
// there, and only then the keys are looked for.
func (r *Reader) has(keys []uint64, found []bool) error {
	var all [64]spot
	at := place{r: r, i: -1, next: r.firstBehind(-1)}
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
			found[spots[i].k] = spots[i].find()
		}
	}
	return nil
}

// Get returns the value of key, valid until Close; it is nil in a segment of keys alone.
func (r *Reader) Get(key uint64) (value []byte, ok bool, err error) {
	at := r.placeOf(key)
	if at.i < 0 {
		return nil, false, nil
	}
	var s spot
	if err := s.set(&at, 0, key); err != nil {
		return nil, false, err
	}
	s.read()
	s.correct()
	if !s.find() {
		return nil, false, nil
	}
	value, err = r.value(&s.block, s.guess)
	return value, err == nil, err
}

// place is a block of a segment, on the way from the first to the last.
type place struct {
	r    *Reader
	i    int    // the block; -1: in front of the first
	next uint64 // the first key of the block behind it
}

// placeOf returns the last block whose first key is not above key.
func (r *Reader) placeOf(key uint64) place {
	i := sort.Search(r.blocks(), func(i int) bool { return r.first(i) > key }) - 1
	return place{r, i, r.firstBehind(i)}
}

// firstBehind returns the first key of the block behind block i, the largest key if i is the last.
func (r *Reader) firstBehind(i int) uint64 {
	if i+1 < r.blocks() {
		return r.first(i + 1)
	}
	return math.MaxUint64
}

// forward goes on to the last block whose first key is not above key, which is not below those
// before.
func (p *place) forward(key uint64) {
	for step := 0; key >= p.next && p.i+1 < p.r.blocks(); step++ {
		if step == 8 { // mostly it is nearer
			*p = p.r.placeOf(key)
			return
		}
		p.i++
		p.next = p.r.firstBehind(p.i)
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

// set makes s the spot of key, which is the one at k, in the block at p: keys are hashes and lie
// evenly.
func (s *spot) set(p *place, k int, key uint64) error {
	if err := p.r.block(p.i, &s.block); err != nil {
		return err
	}
	s.k, s.above = k, key-s.block.base
	s.scale = float64(s.block.n) / float64(p.next-s.block.first)
	s.guess = s.block.clamp(int(float64(key-s.block.first) * s.scale))
	return nil
}

// clamp brings a guess of a key's place into the block.
func (x *opened) clamp(guess int) int { return max(0, min(x.n-1, guess)) }

func (s *spot) read() { s.there = s.block.above(s.guess) }

// correct goes where the key should be, seen from the guess. Of hashes the guess is 10 keys off in
// the mean, and this one 2.
func (s *spot) correct() {
	s.guess = s.block.clamp(s.guess + int(float64(int64(s.above-s.there))*s.scale))
	s.read()
}

// find goes to the key, and tells whether the block has it.
func (s *spot) find() bool {
	block, at, there := &s.block, s.guess, s.there
	for there < s.above && at < block.n-1 {
		at++
		there = block.above(at)
	}
	for there > s.above && at > 0 {
		at--
		there = block.above(at)
	}
	s.guess = at
	return there == s.above
}
