package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	magic     = "mtsegmnt"
	endMagic  = "mtsegend"
	hasValues = 1 // flag

	wholeKeys = 1 // versions
	shortKeys = 2

	headerSize = 16
	indexSize  = 32
	footerSize = 48

	blockKeys   = 1024
	blockValues = 64 << 10
)

// MaxValue is the bound on a value's length in bytes.
const MaxValue = 16 << 20

// ErrDamaged is wrapped by every error that says a file is no whole segment.
var ErrDamaged = errors.New("damaged segment")

func damaged(path, format string, args ...any) error {
	return fmt.Errorf("%w %s: %s", ErrDamaged, path, fmt.Sprintf(format, args...))
}

func header(version, flags uint32) []byte {
	b := append(make([]byte, 0, headerSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	return binary.LittleEndian.AppendUint32(b, flags)
}

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
