package segment

import (
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/blockfile"
)

// Reader reads one segment. It is safe for concurrent use.
type Reader struct {
	file   blockfile.File
	values bool // and keys are whole; else of the width that the index says
}

// Open maps the segment at path and checks all of it but its blocks.
func Open(path string) (*Reader, error) {
	file, err := kind.Open(path)
	if err != nil {
		return nil, err
	}
	return &Reader{file: file, values: file.Flags&hasValues != 0}, nil
}

// Base is the file.
func (r *Reader) Base() *blockfile.File { return &r.file }

// Close unmaps the file; values handed out are invalid from then on.
func (r *Reader) Close() error { return r.file.Close() }

// Len returns the number of entries.
func (r *Reader) Len() int64 { return int64(r.file.Total) }

// HasValues reports whether the entries have values; else it is a set of keys alone.
func (r *Reader) HasValues() bool { return r.values }

// Hash returns the hash that made the keys: hash, or none where they were made without a secret. It
// fails, and the error wraps keyed.ErrSecret, where they were made with another secret.
func (r *Reader) Hash(hash *keyed.Hash) (*keyed.Hash, error) { return r.file.Hash(hash) }

// Size returns the size of the file in bytes.
func (r *Reader) Size() int64 { return r.file.Size() }

func (r *Reader) blocks() int { return len(r.file.Index) / indexSize }

func (r *Reader) first(i int) uint64 { return binary.LittleEndian.Uint64(r.file.Index[i*indexSize+8:]) }

// opened is a block as it is read.
type opened struct {
	data       []byte // the whole block
	first, sum uint64 // as the index has them

	n          int    // keys
	keys       []byte // with 8 bytes to read where the last key begins
	width      int    // of a key in bytes
	base, mask uint64 // a key is base and what mask leaves of 8 bytes
}

// at returns key i.
func (x *opened) at(i int) uint64 { return x.base + x.above(i) }

// above returns by how much key i is above base.
func (x *opened) above(i int) uint64 {
	return binary.LittleEndian.Uint64(x.keys[i*x.width:]) & x.mask
}

// block opens block i. It fills x in place, for a lookup opens a block for every key.
func (r *Reader) block(i int, x *opened) error {
	entry := r.file.Index[i*indexSize:]
	offset, end := binary.LittleEndian.Uint64(entry), r.file.End
	if i+1 < r.blocks() {
		end = binary.LittleEndian.Uint64(entry[indexSize:])
	}
	n, width := uint64(binary.LittleEndian.Uint32(entry[16:])), uint64(8)
	if !r.values {
		width = uint64(binary.LittleEndian.Uint32(entry[20:]))
	}
	least := n * width
	if r.values {
		least += 4 * n
	}
	if n == 0 || n > blockKeys || width == 0 || width > 8 ||
		offset < blockfile.HeaderSize || end > r.file.End || offset > end || end-offset < least {
		return r.file.Damaged("block %d of %d entries, keys of %d bytes, lies at %d to %d", i, n, width, offset, end)
	}
	x.first, x.sum = binary.LittleEndian.Uint64(entry[8:]), binary.LittleEndian.Uint64(entry[24:])
	x.data = r.file.Data[offset:end]
	x.keys = r.file.Data[offset:] // behind the block are index and footer
	x.n, x.width, x.mask = int(n), int(width), ^uint64(0)>>(64-8*width)
	x.base = 0
	if !r.values {
		x.base = x.first
	}
	return nil
}

// checkedBlock is block; it compares the checksum, and the first key with the index, by which
// lookups go.
func (r *Reader) checkedBlock(i int, x *opened) error {
	if err := r.block(i, x); err != nil {
		return err
	}
	if xxhash.Sum64(x.data) != x.sum {
		return r.file.Damaged("checksum of block %d", i)
	}
	if first := x.at(0); first != x.first {
		return r.file.Damaged("block %d begins with key %016x, the index says %016x", i, first, x.first)
	}
	return nil
}

// value returns value i of a block.
func (r *Reader) value(x *opened, i int) ([]byte, error) {
	if !r.values {
		return nil, nil
	}
	ends := x.data[x.n*x.width:]
	data := ends[4*x.n:]
	from, to := uint32(0), binary.LittleEndian.Uint32(ends[4*i:])
	if i > 0 {
		from = binary.LittleEndian.Uint32(ends[4*i-4:])
	}
	if from > to || uint64(to) > uint64(len(data)) {
		return nil, r.file.Damaged("a value lies at %d to %d of %d bytes", from, to, len(data))
	}
	return data[from:to:to], nil
}
