package segment

import (
	"encoding/binary"

	"multitext/stages/internal/state/blockfile"
)

const (
	hasValues = 1 // flag

	indexSize = 32

	blockKeys   = 1024
	blockValues = 64 << 10
)

// kind is the segments. Version 2 is of those whose keys were made without a secret.
var kind = &blockfile.Kind{Name: "segment", Magic: "mtsegmnt", EndMagic: "mtsegend", Plain: 2, Keyed: 3,
	Entry: indexSize}

// Formats tells the versions of the format that this package reads and writes.
func Formats() string { return kind.Formats() }

// maxValue is the bound on a value's length in bytes.
const maxValue = 16 << 20

// block is an entry of the index.
type block struct {
	offset, first uint64
	n, width      uint32
	sum           uint64
}

func (x block) append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, x.offset)
	b = binary.LittleEndian.AppendUint64(b, x.first)
	b = binary.LittleEndian.AppendUint32(b, x.n)
	b = binary.LittleEndian.AppendUint32(b, x.width)
	return binary.LittleEndian.AppendUint64(b, x.sum)
}
