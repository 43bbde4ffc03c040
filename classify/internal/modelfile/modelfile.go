// Package modelfile reads and writes what all model files have in common, whatever is between:
//
//	header   8 bytes that name the kind of file, its version as a uint32 (little-endian), and
//	         what the kind adds
//	footer   uint64 (little-endian) XXH64 (seed 0) of all bytes before it
package modelfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// FooterSize is the size of the footer. MaxSize is the maximum size of a file. Both are in bytes.
const (
	FooterSize = 8
	MaxSize    = 256 << 20
)

// A Kind is a kind of model file.
type Kind struct {
	Magic   string // 8 bytes
	Version uint32 // the only one that is read
	Header  int    // size of the whole header in bytes
}

// Is reports whether data begins like a file of this kind.
func (k Kind) Is(data []byte) bool {
	return len(data) >= len(k.Magic) && string(data[:len(k.Magic)]) == k.Magic
}

// Body checks a whole file and returns the bytes between header and footer.
func (k Kind) Body(data []byte) ([]byte, error) {
	switch {
	case len(data) < k.Header+FooterSize || !k.Is(data):
		return nil, errors.New("it does not begin like one")
	case len(data) > MaxSize:
		return nil, fmt.Errorf("it has more than %d bytes", MaxSize)
	}
	if v := binary.LittleEndian.Uint32(data[len(k.Magic):]); v != k.Version {
		return nil, fmt.Errorf("it is of version %d; this program reads %d", v, k.Version)
	}
	end := len(data) - FooterSize
	if xxhash.Sum64(data[:end]) != binary.LittleEndian.Uint64(data[end:]) {
		return nil, errors.New("its checksum is wrong: it was cut or changed")
	}
	return data[k.Header:end], nil
}

// Seal appends the footer to b, of which the file is b[start:].
func Seal(b []byte, start int) []byte {
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b[start:]))
}

// Load parses the file at path. what is the kind of model, for errors.
func Load[M any](path, what string, parse func(data []byte) (M, error)) (m M, err error) {
	f, err := os.Open(path)
	if err != nil {
		return m, fmt.Errorf("load %s: %w", what, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err == nil {
		m, err = parse(data)
	}
	if err != nil {
		return m, fmt.Errorf("load %s %s: %w", what, path, err)
	}
	return m, nil
}
