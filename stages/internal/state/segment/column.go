package segment

import "encoding/binary"

// column is ascending keys as they stand in a file: those of a block, or the first ones of all blocks.
type column struct {
	data       []byte // 8 bytes can be read where the last key begins
	n          int    // keys
	stride     int    // bytes from one to the next
	base, mask uint64 // a key is base and what mask leaves of the 8 bytes
}

// at returns key i.
func (c *column) at(i int) uint64 { return c.base + c.above(i) }

// above returns by how much key i is above base.
func (c *column) above(i int) uint64 {
	return binary.LittleEndian.Uint64(c.data[i*c.stride:]) & c.mask
}

// clamp brings a guess of a key's place into the column.
func (c *column) clamp(guess int) int { return max(0, min(c.n-1, guess)) }

// lowerBound returns the first i whose key is at least key, n if there is none. It gallops from guess, which costs little
// when guess is near.
func (c *column) lowerBound(guess int, key uint64) int {
	lo, hi := 0, c.n // the answer is in [lo, hi]
	if c.at(guess) < key {
		lo = guess + 1
		for step := 1; lo+step < hi; step *= 2 {
			if c.at(lo+step) >= key {
				hi = lo + step
				break
			}
			lo += step + 1
		}
	} else {
		hi = guess
		for step := 1; hi-step > lo; step *= 2 {
			if c.at(hi-step) < key {
				lo = hi - step + 1
				break
			}
			hi -= step
		}
	}
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); c.at(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
