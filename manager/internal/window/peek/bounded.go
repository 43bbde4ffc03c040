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

// maxWindow is the maximum memory in bytes that a compressed file may require. Writers of zstd need
// 8 MB or less unless they are told otherwise.
const maxWindow = 32 << 20

// The errors of a reader that has reached its limits.
var (
	errEnough = errors.New("enough was read")
	errLate   = fmt.Errorf("%w: the time is over", errEnough)
)

// Reader returns a reader that decompresses a file up to limits, and then fails. done frees its
// resources.
func Reader(file io.Reader, l Limits) (in io.Reader, done func(), err error) {
	b, err := newBounded(file, l)
	if err != nil {
		return nil, nil, err
	}
	return b, b.done, nil
}

// A bounded reader decompresses a file, up to its limits.
type bounded struct {
	in   io.Reader
	done func()
	Limits
	read int64
}

func newBounded(file io.Reader, l Limits) (*bounded, error) {
	in, done, err := kind.ReaderWithin(&timed{file, l.Until}, maxWindow)
	if errors.Is(err, errLate) {
		return &bounded{done: func() {}, Limits: l}, nil // Read says so
	}
	if err != nil {
		return nil, fmt.Errorf("decompress: %w", err)
	}
	return &bounded{in: in, done: done, Limits: l}, nil
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.read >= b.Bytes {
		return 0, errEnough
	}
	if !time.Now().Before(b.Until) {
		return 0, errLate
	}
	n, err := b.in.Read(p[:min(int64(len(p)), b.Bytes-b.read)])
	if b.read += int64(n); err != nil && err != io.EOF && !time.Now().Before(b.Until) {
		err = errLate // a decompressor may say something else
	}
	return n, err
}

// far says how far a reader came.
func (b *bounded) far() string { return "after " + figure.Bytes(b.read) }

// A timed reader ends at a time. Without it, a compressed file in which there is nothing would be
// read to its end, however long it is.
type timed struct {
	in    io.Reader
	until time.Time
}

func (t *timed) Read(p []byte) (int, error) {
	if !time.Now().Before(t.until) {
		return 0, errLate
	}
	return t.in.Read(p)
}
