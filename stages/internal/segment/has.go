package segment

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// Has tells which of keys, which ascend, are in the set: it sets found of each that is, and asks only
// about those that are not set. The largest segment is asked first, for it has the most of them.
// (For a state with values see Probe: there the newest segment is the first.)
func (s *Set) Has(keys []uint64, found []bool) error {
	bySize := slices.SortedFunc(slices.Values(s.segments), func(a, b *Reader) int { return cmp.Compare(b.total, a.total) })
	for _, r := range bySize {
		if err := r.has(keys, found); err != nil {
			return err
		}
	}
	return nil
}

// spot is where in a block a key should be.
type spot struct {
	k     int     // the key's place among those that are asked about
	data  []byte  // the block's keys
	scale float64 // how many keys of the block there are to one step of a key
	guess int
	there uint64 // the key at guess
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
			if err := at.forward(keys[k]); err != nil {
				return err
			}
			if at.i >= 0 {
				spots = append(spots, spot{k: k, data: at.data, scale: at.scale, guess: at.guess(keys[k])})
			}
		}
		for i := range spots {
			spots[i].read()
		}
		for i := range spots {
			spots[i].correct(keys[spots[i].k])
		}
		for i := range spots {
			found[spots[i].k] = spots[i].has(keys[spots[i].k])
		}
	}
	return nil
}

func (s *spot) read() { s.there = binary.LittleEndian.Uint64(s.data[8*s.guess:]) }

// correct goes where key should be, seen from the guess: of hashes that one is 10 keys off in the mean, and this one 2.
func (s *spot) correct(key uint64) {
	s.guess = clamp(s.guess+int(float64(int64(key-s.there))*s.scale), len(s.data)/8)
	s.read()
}

// has tells whether the block has key. It is near the guess, so a few steps of one are tried first, which a processor
// foresees.
func (s *spot) has(key uint64) bool {
	const near = 48
	n := len(s.data) / 8
	at, there := s.guess, s.there
	if there < key {
		for last := min(n-1, at+near); there < key && at < last; {
			at++
			there = binary.LittleEndian.Uint64(s.data[8*at:])
		}
		if there < key && at < n-1 {
			return s.hasFar(at, key)
		}
	} else {
		for first := max(0, at-near); there > key && at > first; {
			at--
			there = binary.LittleEndian.Uint64(s.data[8*at:])
		}
		if there > key && at > 0 {
			return s.hasFar(at, key)
		}
	}
	return there == key
}

// hasFar tells whether the block has key, which is not near at.
func (s *spot) hasFar(at int, key uint64) bool {
	n := len(s.data) / 8
	at = lowerBound(s.data, 8, n, at, key)
	return at < n && binary.LittleEndian.Uint64(s.data[8*at:]) == key
}

// place is a block of a segment, on the way from the first to the last.
type place struct {
	r           *Reader
	i           int    // the block; -1: in front of the first
	data        []byte // its keys
	first, next uint64 // its first key, and that of the block behind it
	scale       float64
}

// forward goes on to the last block whose first key is not above key, which is not below those before.
func (p *place) forward(key uint64) error {
	if key < p.next || p.i+1 == p.r.blocks() {
		return nil
	}
	i := p.i + 1
	for range 8 { // mostly it is near
		if i+1 == p.r.blocks() || p.r.first(i+1) > key {
			return p.enter(i)
		}
		i++
	}
	return p.enter(p.r.findBlock(key))
}

// enter goes to block i.
func (p *place) enter(i int) error {
	x, data, err := p.r.block(i)
	if err != nil {
		return err
	}
	p.i, p.data, p.first, p.next = i, data[:8*x.n], x.first, 1<<64-1
	if i+1 < p.r.blocks() {
		p.next = p.r.first(i + 1)
	}
	p.scale = float64(x.n) / float64(p.next-p.first)
	return nil
}

// guess returns where in the block key should be, for keys are hashes and lie evenly.
func (p *place) guess(key uint64) int {
	return clamp(int(float64(key-p.first)*p.scale), len(p.data)/8)
}

// clamp brings a guess into a block of n keys: it may be far off where the block's first key is none that it may begin with.
func clamp(guess, n int) int { return max(0, min(n-1, guess)) }
