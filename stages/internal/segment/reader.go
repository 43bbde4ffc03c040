package segment

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"syscall"

	"github.com/cespare/xxhash/v2"
)

// Reader reads one segment. It may be used by several goroutines.
type Reader struct {
	path   string
	data   []byte // the whole file, mapped
	values bool
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
	head, foot := r.data[:headerSize], r.data[len(r.data)-footerSize:]
	if string(head[:8]) != magic {
		return damaged(r.path, "it does not begin as one")
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v != version {
		return fmt.Errorf("segment %s is of version %d, this program reads version %d", r.path, v, version)
	}
	if string(foot[32:40]) != endMagic {
		return damaged(r.path, "it does not end as one: cut short or grown")
	}
	if xxhash.Sum64(append(bytes.Clone(head), foot[:40]...)) != binary.LittleEndian.Uint64(foot[40:]) {
		return damaged(r.path, "checksum of header and footer")
	}
	blocks := binary.LittleEndian.Uint64(foot[8:])
	r.values = binary.LittleEndian.Uint32(head[12:])&hasValues != 0
	r.total = binary.LittleEndian.Uint64(foot)
	r.end = binary.LittleEndian.Uint64(foot[16:])
	size := uint64(len(r.data))
	if blocks > size/indexSize || r.end < headerSize || r.end != size-footerSize-blocks*indexSize {
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

// Path returns the path the segment was opened under.
func (r *Reader) Path() string { return r.path }

// Len returns the number of entries.
func (r *Reader) Len() int64 { return int64(r.total) }

// HasValues tells whether the entries have values; else it is a set of keys alone.
func (r *Reader) HasValues() bool { return r.values }

// Size returns the size of the file in bytes.
func (r *Reader) Size() int64 { return int64(len(r.data)) }

func (r *Reader) blocks() int { return len(r.index) / indexSize }

func (r *Reader) first(i int) uint64 { return binary.LittleEndian.Uint64(r.index[i*indexSize+8:]) }

// block returns index entry i and the bytes of its block.
func (r *Reader) block(i int) (block, []byte, error) {
	x := decodeBlock(r.index[i*indexSize:])
	end := r.end
	if i+1 < r.blocks() {
		end = binary.LittleEndian.Uint64(r.index[(i+1)*indexSize:])
	}
	least := uint64(x.n) * 8
	if r.values {
		least += uint64(x.n) * 4
	}
	if x.offset < headerSize || end > r.end || x.offset > end || end-x.offset < least || x.n == 0 || x.n > blockKeys {
		return x, nil, damaged(r.path, "block %d of %d entries lies at %d to %d", i, x.n, x.offset, end)
	}
	return x, r.data[x.offset:end], nil
}

// checkedBlock is block; it compares the checksum.
func (r *Reader) checkedBlock(i int) (block, []byte, error) {
	x, data, err := r.block(i)
	if err == nil && xxhash.Sum64(data) != x.sum {
		err = damaged(r.path, "checksum of block %d at %d", i, x.offset)
	}
	return x, data, err
}

// value returns value i of a block of n entries.
func (r *Reader) value(b []byte, n, i int) ([]byte, error) {
	if !r.values {
		return nil, nil
	}
	ends, data := b[8*n:12*n], b[12*n:]
	from, to := uint32(0), binary.LittleEndian.Uint32(ends[4*i:])
	if i > 0 {
		from = binary.LittleEndian.Uint32(ends[4*i-4:])
	}
	if from > to || uint64(to) > uint64(len(data)) {
		return nil, damaged(r.path, "a value lies at %d to %d of %d bytes", from, to, len(data))
	}
	return data[from:to:to], nil
}
