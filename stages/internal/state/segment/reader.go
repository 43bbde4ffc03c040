package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
)

// Reader reads one segment. It may be used by several goroutines.
type Reader struct {
	path   string
	data   []byte // the whole file, mapped
	values bool   // and keys are whole; else of the width that the index says
	mark   uint64 // of the secret that the keys were made with; 0: none
	total  uint64
	end    uint64 // of the blocks: offset of the index
	index  []byte
}

// Open maps the segment at path and checks all of it but its blocks.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("open segment: %w", err)
	}
	if info.Size() < headerSize+footerSize {
		return nil, damaged(path, "%d bytes are too few", info.Size())
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("map segment %s: %w", path, err)
	}
	r := &Reader{path: path, data: data}
	if err := r.check(); err != nil {
		r.Close()
		return nil, err
	}
	return r, nil
}

// check reads header, footer and index.
func (r *Reader) check() error {
	size := uint64(len(r.data))
	head, foot := r.data[:headerSize], r.data[size-footerSize:]
	if string(head[:8]) != magic {
		return damaged(r.path, "it does not begin as one")
	}
	version := binary.LittleEndian.Uint32(head[8:])
	switch {
	case version != versionPlain && version != versionKeyed:
		return fmt.Errorf("segment %s is of version %d, this program reads versions %d and %d",
			r.path, version, versionPlain, versionKeyed)
	case version == versionKeyed && size < headerSize+markSize+footerSize:
		return damaged(r.path, "%d bytes are too few", size)
	case version == versionKeyed:
		head = r.data[:headerSize+markSize]
		r.mark = binary.LittleEndian.Uint64(head[headerSize:])
	}
	if string(foot[32:40]) != endMagic {
		return damaged(r.path, "it does not end as one: cut short or grown")
	}
	if xxhash.Sum64(append(bytes.Clone(head), foot[:40]...)) != binary.LittleEndian.Uint64(foot[40:]) {
		return damaged(r.path, "checksum of header and footer")
	}
	blocks := binary.LittleEndian.Uint64(foot[8:])
	r.values = binary.LittleEndian.Uint32(head[12:])&hasValues != 0
	if version == versionKeyed && r.mark == 0 {
		return damaged(r.path, "it is of version %d, and has no mark", version)
	}
	r.total = binary.LittleEndian.Uint64(foot)
	r.end = binary.LittleEndian.Uint64(foot[16:])
	if blocks > (size-uint64(len(head))-footerSize)/indexSize || r.end != size-footerSize-blocks*indexSize {
		return damaged(r.path, "%d bytes for %d blocks that end at %d", size, blocks, r.end)
	}
	r.index = r.data[r.end : size-footerSize]
	if xxhash.Sum64(r.index) != binary.LittleEndian.Uint64(foot[24:]) {
		return damaged(r.path, "checksum of the index")
	}
	return nil
}

// Close unmaps the file; values handed out are invalid from then on.
func (r *Reader) Close() error {
	if r.data == nil {
		return nil
	}
	err := syscall.Munmap(r.data)
	r.data, r.index = nil, nil
	return err
}

// Len returns the number of entries.
func (r *Reader) Len() int64 { return int64(r.total) }

// HasValues reports whether the entries have values; else it is a set of keys alone.
func (r *Reader) HasValues() bool { return r.values }

// Hash returns the hash that made the keys: hash, or none where they were made without a secret. It
// fails, and the error wraps keyed.ErrSecret, where they were made with another secret.
func (r *Reader) Hash(hash *keyed.Hash) (*keyed.Hash, error) {
	hash, err := hash.Of(r.mark)
	if err != nil {
		return nil, fmt.Errorf("segment %s: %w", r.path, err)
	}
	return hash, nil
}

// Size returns the size of the file in bytes.
func (r *Reader) Size() int64 { return int64(len(r.data)) }

func (r *Reader) blocks() int { return len(r.index) / indexSize }

func (r *Reader) first(i int) uint64 { return binary.LittleEndian.Uint64(r.index[i*indexSize+8:]) }

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
	entry := r.index[i*indexSize:]
	offset, end := binary.LittleEndian.Uint64(entry), r.end
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
		offset < headerSize || end > r.end || offset > end || end-offset < least {
		return damaged(r.path, "block %d of %d entries, keys of %d bytes, lies at %d to %d", i, n, width, offset, end)
	}
	x.first, x.sum = binary.LittleEndian.Uint64(entry[8:]), binary.LittleEndian.Uint64(entry[24:])
	x.data = r.data[offset:end]
	x.keys = r.data[offset:] // behind the block are index and footer
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
		return damaged(r.path, "checksum of block %d", i)
	}
	if first := x.at(0); first != x.first {
		return damaged(r.path, "block %d begins with key %016x, the index says %016x", i, first, x.first)
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
		return nil, damaged(r.path, "a value lies at %d to %d of %d bytes", from, to, len(data))
	}
	return data[from:to:to], nil
}
