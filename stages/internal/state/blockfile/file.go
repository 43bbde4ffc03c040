package blockfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
)

// File is a file that was opened for reading. Nobody changes its fields.
type File struct {
	Path  string
	Data  []byte // the whole file, mapped
	Flags uint32 // as the kind has them
	Mark  uint64 // of the secret that the keys were made with; 0: none
	Total uint64 // entries, as the footer says
	Start uint64 // offset of the first block
	End   uint64 // of the blocks: offset of the index
	Index []byte
	kind  *Kind
}

// Open maps the file at path and checks all of it but its blocks.
func (k *Kind) Open(path string) (r File, err error) {
	f, err := os.Open(path)
	if err != nil {
		return r, fmt.Errorf("open %s: %w", k.Name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return r, fmt.Errorf("open %s: %w", k.Name, err)
	}
	if info.Size() < HeaderSize+FooterSize {
		return r, k.Damaged(path, "%d bytes are too few", info.Size())
	}
	r = File{Path: path, kind: k}
	if r.Data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED); err != nil {
		return r, fmt.Errorf("map %s %s: %w", k.Name, path, err)
	}
	if err := r.check(); err != nil {
		r.Close()
		return r, err
	}
	return r, nil
}

// Is reports whether the file at path begins as one of the kind does.
func (k *Kind) Is(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(k.Magic))
	_, err = io.ReadFull(f, head)
	return err == nil && string(head) == k.Magic
}

// check reads header, footer and index.
func (r *File) check() error {
	k, size := r.kind, uint64(len(r.Data))
	head, foot := r.Data[:HeaderSize], r.Data[size-FooterSize:]
	if string(head[:8]) != k.Magic {
		return r.Damaged("it does not begin as one")
	}
	version := binary.LittleEndian.Uint32(head[8:])
	switch {
	case version != k.Plain && version != k.Keyed:
		return fmt.Errorf("%s %s is of version %d, this program reads versions %d and %d",
			k.Name, r.Path, version, k.Plain, k.Keyed)
	case version == k.Keyed && size < HeaderSize+markSize+FooterSize:
		return r.Damaged("%d bytes are too few", size)
	case version == k.Keyed:
		head = r.Data[:HeaderSize+markSize]
		r.Mark = binary.LittleEndian.Uint64(head[HeaderSize:])
	}
	if string(foot[32:40]) != k.EndMagic {
		return r.Damaged("it does not end as one: cut short or grown")
	}
	if xxhash.Sum64(append(bytes.Clone(head), foot[:40]...)) != binary.LittleEndian.Uint64(foot[40:]) {
		return r.Damaged("checksum of header and footer")
	}
	if version == k.Keyed && r.Mark == 0 {
		return r.Damaged("it is of version %d, and has no mark", version)
	}
	blocks, entry := binary.LittleEndian.Uint64(foot[8:]), uint64(k.Entry)
	r.Flags = binary.LittleEndian.Uint32(head[12:])
	r.Start = uint64(len(head))
	r.Total = binary.LittleEndian.Uint64(foot)
	r.End = binary.LittleEndian.Uint64(foot[16:])
	if blocks > (size-r.Start-FooterSize)/entry || r.End != size-FooterSize-blocks*entry {
		return r.Damaged("%d bytes for %d blocks that end at %d", size, blocks, r.End)
	}
	r.Index = r.Data[r.End : size-FooterSize]
	if xxhash.Sum64(r.Index) != binary.LittleEndian.Uint64(foot[24:]) {
		return r.Damaged("checksum of the index")
	}
	return nil
}

// Damaged is the error that the file is not whole, and why.
func (r *File) Damaged(format string, args ...any) error {
	return r.kind.Damaged(r.Path, format, args...)
}

// Close unmaps the file; what was handed out of it is invalid from then on.
func (r *File) Close() error {
	if r.Data == nil {
		return nil
	}
	err := syscall.Munmap(r.Data)
	r.Data, r.Index = nil, nil
	return err
}

// Leave has a part of the file leave memory, as far as it has whole pages. It is read again where it is
// looked at.
func (r *File) Leave(from, to uint64) error {
	page := uint64(os.Getpagesize())
	if from, to = (from+page-1)&^(page-1), to&^(page-1); from >= to {
		return nil
	}
	if err := syscall.Madvise(r.Data[from:to], syscall.MADV_DONTNEED); err != nil {
		return fmt.Errorf("have %s %s leave memory: %w", r.kind.Name, r.Path, err)
	}
	return nil
}

// Size returns the size of the file in bytes.
func (r *File) Size() int64 { return int64(len(r.Data)) }

// Hash returns the hash that made the keys: hash, or none where they were made without a secret. It
// fails, and the error wraps keyed.ErrSecret, where they were made with another secret.
func (r *File) Hash(hash *keyed.Hash) (*keyed.Hash, error) {
	hash, err := hash.Of(r.Mark)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.kind.Name, r.Path, err)
	}
	return hash, nil
}

// follows returns an error, which wraps keyed.ErrSecret, unless the keys of r were made as those of
// first, the oldest file of the same state.
func (r *File) follows(first *File) error {
	if r.Mark == first.Mark {
		return nil
	}
	return fmt.Errorf("%w: keys of %s %s were made with another than those of %s",
		keyed.ErrSecret, r.kind.Name, r.Path, first.Path)
}
