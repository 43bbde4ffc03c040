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

	versionPlain = 2 // version of a segment whose keys were made without a secret
	versionKeyed = 3 // and of one whose keys a secret made

	headerSize = 16
	markSize   = 8 // that follow in version 3
	indexSize  = 32
	footerSize = 48

	blockKeys   = 1024
	blockValues = 64 << 10
)

// Formats tells the versions of the format that this package reads and writes.
func Formats() string { return fmt.Sprintf("segments %d and %d", versionPlain, versionKeyed) }

// maxValue is the bound on a value's length in bytes.
const maxValue = 16 << 20

// errDamaged is wrapped by every error that says a file is no whole segment.
var errDamaged = errors.New("damaged segment")

func damaged(path, format string, args ...any) error {
	return fmt.Errorf("%w %s: %s", errDamaged, path, fmt.Sprintf(format, args...))
}

// header is that of a segment whose keys were made with the secret of mark, 0 for none.
func header(values bool, mark uint64) []byte {
	version, flags := uint32(versionPlain), uint32(0)
	if values {
		flags = hasValues
	}
	if mark != 0 {
		version = versionKeyed
	}
	b := append(make([]byte, 0, headerSize+markSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, flags)
	if mark != 0 {
		b = binary.LittleEndian.AppendUint64(b, mark)
	}
	return b
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
