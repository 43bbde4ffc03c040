package segment

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
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

// has is Has of one segment.
func (r *Reader) has(keys []uint64, found []bool) error {
	if r.blocks() == 0 {
		return nil
	}
	var data []byte
	var x block
	next := r.first(0) // the first key behind the block in data
	i := -1
	for k, key := range keys {
		if found[k] {
			continue
		}
		if key >= next && i+1 < r.blocks() {
			i = r.forward(i+1, key)
			var err error
			if x, data, err = r.block(i); err != nil {
				return err
			}
			if next = math.MaxUint64; i+1 < r.blocks() {
				next = r.first(i + 1)
			}
		}
		if i < 0 {
			continue
		}
		found[k] = r.inBlock(x, data, key)
	}
	return nil
}

// forward returns the last block whose first key is not above key; that of block i is not.
func (r *Reader) forward(i int, key uint64) int {
	for range 8 { // mostly it is near
		if i+1 == r.blocks() || r.first(i+1) > key {
			return i
		}
		i++
	}
	return r.findBlock(key)
}

// inBlock tells whether key is in block x. Keys of the file are as dense as those of the whole: so
// one multiplication says where it should be.
func (r *Reader) inBlock(x block, data []byte, key uint64) bool {
	guess, _ := bits.Mul64(key-x.first, r.total)
	n := int(x.n)
	j := lowerBound(data, 8, n, int(min(guess, uint64(n-1))), key)
	return j < n && binary.LittleEndian.Uint64(data[8*j:]) == key
}
