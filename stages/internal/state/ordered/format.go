package ordered

import (
	"encoding/binary"

	"multitext/stages/internal/state/blockfile"
)

const (
	keySize   = 16
	indexSize = 40

	blockKeys  = 2048     // at most in a block
	blockBytes = 32 << 10 // of keys and values, at which a block ends

	maxValue = 16 << 20 // bound on a value's length in bytes
)

var kind = &blockfile.Kind{Name: "ordered segment", Magic: "mtorderd", EndMagic: "mtordend",
	Plain: 1, Keyed: 2, Entry: indexSize}

// Formats tells the versions of the format that this package reads and writes.
func Formats() string { return kind.Formats() }

// block is an entry of the index.
type block struct {
	offset     uint64
	first      Key
	n          uint32
	mask, ends uint16
	sum        uint64
}

func (x *block) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, x.offset)
	b = le.AppendUint64(b, x.first.Hi)
	b = le.AppendUint64(b, x.first.Lo)
	b = le.AppendUint32(b, x.n)
	b = le.AppendUint16(b, x.mask)
	b = le.AppendUint16(b, x.ends)
	return le.AppendUint64(b, x.sum)
}

// columns are the bytes of a key that a block's mask names: by how much each is shifted in Hi or
// Lo, the most significant first.
type columns struct {
	shifts [keySize]uint8
	hi, n  int // of them those of Hi, and all
}

// set makes c the columns of a mask.
func (c *columns) set(mask uint16) {
	c.hi, c.n = 0, 0
	for i := range keySize {
		if mask>>i&1 == 0 {
			continue
		}
		c.shifts[c.n] = uint8(8 * (7 - i%8))
		if c.n++; i < 8 {
			c.hi++
		}
	}
}

// append appends the bytes of key.
func (c *columns) append(b []byte, key Key) []byte {
	for _, s := range c.shifts[:c.hi] {
		b = append(b, byte(key.Hi>>s))
	}
	for _, s := range c.shifts[c.hi:c.n] {
		b = append(b, byte(key.Lo>>s))
	}
	return b
}

// key returns base, in which the bytes are zero, with those of b.
func (c *columns) key(base Key, b []byte) Key {
	b = b[:c.n]
	for i, s := range c.shifts[:c.hi] {
		base.Hi |= uint64(b[i]) << (s & 63)
	}
	for i := c.hi; i < len(b); i++ {
		base.Lo |= uint64(b[i]) << (c.shifts[i&15] & 63)
	}
	return base
}

// maskOf returns the mask of keys that differ from the first in the bits of differ.
func maskOf(differ Key) (mask uint16) {
	for i := range 8 {
		if byte(differ.Hi>>(8*(7-i))) != 0 {
			mask |= 1 << i
		}
		if byte(differ.Lo>>(8*(7-i))) != 0 {
			mask |= 1 << (8 + i)
		}
	}
	return mask
}
