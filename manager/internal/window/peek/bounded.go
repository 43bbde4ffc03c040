package peek

import (
	"errors"
	"fmt"
	"io"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/kind"
)

// Limits bound how much of a file is read.
type Limits struct {
	Bytes int64     // after decompression
	Until time.Time // when to stop
}

// errEnough is the error of a reader that has reached its limits.
var errEnough = errors.New("enough was read")

// A bounded reader decompresses a file, up to its limits.
type bounded struct {
	in   io.Reader
	done func()
	Limits
	read int64
}

func newBounded(file io.Reader, l Limits) (*bounded, error) {
	in, done, err := kind.Reader(file)
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	return &bounded{in: in, done: done, Limits: l}, nil
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.read >= b.Bytes || !time.Now().Before(b.Until) {
		return 0, errEnough
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.Bytes-b.read)])
	b.read += int64(n)
	return n, err
}

// far says how far a reader came.
func (b *bounded) far() string { return "after " + figure.Bytes(b.read) }
