// Package forge makes files with damage that checksums do not detect.
package forge

import (
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/state/blockfile"
)

// Seal returns the bytes of a block file with all checksums right again, as far as it has the
// parts. It is one without a secret; each entry of its index has size bytes, of which the first
// eight are the offset of the block and the last eight its checksum.
func Seal(data []byte, size int) []byte {
	data = bytes.Clone(data)
	n := uint64(len(data))
	if n < blockfile.HeaderSize+blockfile.FooterSize {
		return data
	}
	le, foot := binary.LittleEndian, data[n-blockfile.FooterSize:]
	if end := le.Uint64(foot[16:]); end >= blockfile.HeaderSize && end <= n-blockfile.FooterSize {
		index := data[end : n-blockfile.FooterSize]
		sealBlocks(data[:end], index, size)
		le.PutUint64(foot[24:], xxhash.Sum64(index))
	}
	le.PutUint64(foot[40:], xxhash.Sum64(append(bytes.Clone(data[:blockfile.HeaderSize]), foot[:40]...)))
	return data
}

// sealBlocks puts the checksums of the blocks, the last of which ends where data does, into the
// index.
func sealBlocks(data, index []byte, size int) {
	le, end := binary.LittleEndian, uint64(len(data))
	for i := 0; i+size <= len(index); i += size {
		from, to := le.Uint64(index[i:]), end
		if next := i + size; next+8 <= len(index) {
			to = le.Uint64(index[next:])
		}
		if from <= to && to <= end {
			le.PutUint64(index[i+size-8:], xxhash.Sum64(data[from:to]))
		}
	}
}
