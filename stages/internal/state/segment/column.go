package segment

import "encoding/binary"

// column is ascending keys as they stand in a file: those of a block, or the first ones of all
// blocks.
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
