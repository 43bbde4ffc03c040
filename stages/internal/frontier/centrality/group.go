package centrality

import (
	"encoding/binary"
	"math/bits"
)

// A group is four numbers: a byte with the length of each less 1, two bits each, the first number's
// the lowest, and then the numbers, little-endian, of 1 to 4 bytes. Numbers that are written fill
// groups; where the last one lacks numbers it has zeros. Nothing branches on a length, so groups are
// read several times as fast as varints.
const (
	groupOf  = 4
	maxGroup = 1 + 4*groupOf // bytes
)

// appendGroups appends the numbers.
func appendGroups(b []byte, numbers ...uint32) []byte {
	for len(numbers) > 0 {
		var group [groupOf]uint32
		numbers = numbers[copy(group[:], numbers):]
		at := len(b)
		b = append(b, 0)
		for i, v := range group {
			n := max(1, (bits.Len32(v)+7)/8)
			b[at] |= byte(n-1) << (2 * i)
			b = binary.LittleEndian.AppendUint32(b, v)[:len(b)+n]
		}
	}
	return b
}

// group reads the group at the front of p, which is maxGroup bytes or longer, and returns its size.
func group(p []byte, numbers *[groupOf]uint32) (size int) {
	p = p[:maxGroup]
	lengths, at := uint32(p[0]), 1
	for i := range numbers {
		less := lengths >> (2 * i) & 3
		numbers[i] = binary.LittleEndian.Uint32(p[at:]) & (^uint32(0) >> (24 - 8*less))
		at += int(less) + 1
	}
	return at
}
