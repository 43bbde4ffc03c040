package blockfile

import (
	"encoding/binary"
	"errors"
	"fmt"
)

const (
	HeaderSize = 16 // bytes of the header in the version without a secret
	FooterSize = 48

	markSize = 8 // that follow the header in the version with a secret
)

// A Kind is a kind of files.
type Kind struct {
	Name            string // of one of its files, for messages: "segment"
	Magic, EndMagic string // 8 bytes each
	Plain, Keyed    uint32 // the version of a file whose keys were made without a secret, and with one
	Entry           int    // size of an entry of the index in bytes
}

// Formats tells the versions of the format that this program reads and writes.
func (k *Kind) Formats() string { return fmt.Sprintf("%ss %d and %d", k.Name, k.Plain, k.Keyed) }

// ErrDamaged is wrapped by every error that says a file is not whole.
var ErrDamaged = errors.New("damaged")

// Damaged is the error that the file at path is not whole, and why.
func (k *Kind) Damaged(path, format string, args ...any) error {
	return fmt.Errorf("%w %s %s: %s", ErrDamaged, k.Name, path, fmt.Sprintf(format, args...))
}

// header is that of a file whose keys were made with the secret of mark, 0 for none.
func (k *Kind) header(flags uint32, mark uint64) []byte {
	version := k.Plain
	if mark != 0 {
		version = k.Keyed
	}
	b := append(make([]byte, 0, HeaderSize+markSize), k.Magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, flags)
	if mark != 0 {
		b = binary.LittleEndian.AppendUint64(b, mark)
	}
	return b
}
