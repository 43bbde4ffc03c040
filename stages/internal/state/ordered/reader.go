package ordered

import (
	"encoding/binary"
	"sort"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/state/blockfile"
)

// reader reads one segment. It may be used by several goroutines.
type reader struct{ blockfile.File }

// openReader maps the segment at path and checks all of it but its blocks.
func openReader(path string) (*reader, error) {
	f, err := kind.Open(path)
	if err != nil {
		return nil, err
	}
	return &reader{f}, nil
}

func (r *reader) blocks() int { return len(r.Index) / indexSize }

// first returns the first key of block i.
func (r *reader) first(i int) Key {
	entry := r.Index[i*indexSize+8:]
	return Key{binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint64(entry[8:])}
}

// blockOf returns the last block whose first key is not above key, -1 if there is none. It is
// between from, of which that is known, and to, of which the opposite is.
func (r *reader) blockOf(key Key, from, to int) int {
	return from + sort.Search(to-from-1, func(i int) bool { return key.Less(r.first(from + 1 + i)) })
}

// leave has blocks leave memory; they are read again if they are looked at.
func (r *reader) leave(from, to int) error {
	return r.Leave(r.offset(from), r.offset(to))
}

// offset is where block i begins.
func (r *reader) offset(i int) uint64 { return binary.LittleEndian.Uint64(r.Index[i*indexSize:]) }

// opened is a block as it is read.
type opened struct {
	sum      uint64 // as the index has it
	data     []byte // the whole block
	first    Key    // as the index has it
	n        int    // entries
	base     Key    // first, with zero bytes where the keys differ
	columns  columns
	ends     []byte
	endWidth int
	values   []byte
}

// block opens block i. It fills x in place, for a lookup opens a block for every key.
func (r *reader) block(i int, x *opened) error {
	le, entry := binary.LittleEndian, r.Index[i*indexSize:]
	offset, end := le.Uint64(entry), r.End
	if i+1 < r.blocks() {
		end = le.Uint64(entry[indexSize:])
	}
	n, width := uint64(le.Uint32(entry[24:])), uint64(le.Uint16(entry[30:]))
	x.columns.set(le.Uint16(entry[28:]))
	keys := n * uint64(x.columns.n)
	if n == 0 || n > blockKeys || width > 4 || width == 1 || width == 3 ||
		offset < r.Start || end > r.End || offset > end || end-offset < keys+n*width {
		return r.Damaged("block %d of %d entries, keys of %d bytes, ends of %d, lies at %d to %d",
			i, n, x.columns.n, width, offset, end)
	}
	x.n, x.endWidth, x.sum = int(n), int(width), le.Uint64(entry[32:])
	x.data = r.Data[offset:end:end]
	x.ends, x.values = x.data[keys:keys+n*width], x.data[keys+n*width:]
	x.first = r.first(i)
	x.base = x.first
	for i, s := range x.columns.shifts[:x.columns.n] {
		if i < x.columns.hi {
			x.base.Hi &^= 0xff << s
		} else {
			x.base.Lo &^= 0xff << s
		}
	}
	return nil
}

// checkedBlock is block; it compares the checksum, and the first key with the index, by which
// lookups go.
func (r *reader) checkedBlock(i int, x *opened) error {
	if err := r.block(i, x); err != nil {
		return err
	}
	if xxhash.Sum64(x.data) != x.sum {
		return r.Damaged("checksum of block %d", i)
	}
	if first := x.at(0); first != x.first {
		return r.Damaged("block %d begins with key %v, the index says %v", i, first, x.first)
	}
	return nil
}

// at returns key i.
func (x *opened) at(i int) Key { return x.columns.key(x.base, x.data[i*x.columns.n:]) }

// find returns the first entry of those between from and to whose key is not below key, to if there
// is none.
func (x *opened) find(key Key, from, to int) int {
	return from + sort.Search(to-from, func(i int) bool { return !x.at(from + i).Less(key) })
}

// value returns value i of a block of r.
func (r *reader) value(x *opened, i int) ([]byte, error) {
	from, to := x.end(i-1), x.end(i)
	if from > to || to > len(x.values) {
		return nil, r.Damaged("a value lies at %d to %d of %d bytes", from, to, len(x.values))
	}
	return x.values[from:to:to], nil
}

// end returns where value i ends.
func (x *opened) end(i int) int {
	switch {
	case i < 0:
		return 0
	case x.endWidth == 2:
		return int(binary.LittleEndian.Uint16(x.ends[2*i:]))
	case x.endWidth == 4:
		return int(binary.LittleEndian.Uint32(x.ends[4*i:]))
	}
	return 0
}

// get returns the value of key, valid until Close.
func (r *reader) get(key Key) (value []byte, ok bool, err error) {
	b := r.blockOf(key, -1, r.blocks())
	if b < 0 {
		return nil, false, nil
	}
	var x opened
	if err := r.block(b, &x); err != nil {
		return nil, false, err
	}
	i := x.find(key, 0, x.n)
	if i == x.n || x.at(i) != key {
		return nil, false, nil
	}
	value, err = r.value(&x, i)
	return value, err == nil, err
}
