package centrality

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"

	"github.com/cespare/xxhash/v2"
)

// A frame is the unit in which files are written and read:
//
//	uint64   XXH64 of all that follows, its seed the number of the frame in the file
//	uint32   bytes of the payload
//	the payload, and any bytes up to the size of a frame, slack of them or more
//
// Integers are little-endian.
const (
	frameSize  = 64 << 10
	frameHead  = 12
	slack      = 16 // so many bytes behind the payload may be read with it
	maxPayload = frameSize - frameHead - slack
)

// errDamaged is wrapped by every error that says a file is not as it was written.
var errDamaged = errors.New("damaged temporary file")

// frames is a file of frames. It has no name and is gone with the process.
type frames struct {
	file *os.File
	sum  *xxhash.Digest
}

func newFrames() (*frames, error) {
	f, err := os.CreateTemp("", "centrality-")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file for links between pages: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, fmt.Errorf("take the name off a temporary file: %w", err)
	}
	return &frames{file: f, sum: xxhash.New()}, nil
}

// sumOf is the sum of what follows it in a frame.
func (f *frames) sumOf(i int, frame []byte) uint64 {
	f.sum.ResetWithSeed(uint64(i))
	f.sum.Write(frame[8:])
	return f.sum.Sum64()
}

// write makes frame i out of frame, which has a free head and then the payload.
func (f *frames) write(i int, frame []byte) error {
	n := len(frame)
	frame = frame[:frameSize]
	binary.LittleEndian.PutUint32(frame[8:], uint32(n-frameHead))
	binary.LittleEndian.PutUint64(frame, f.sumOf(i, frame))
	if _, err := f.file.WriteAt(frame, int64(i)*frameSize); err != nil {
		return fmt.Errorf("write frame %d of %s: %w", i, f.file.Name(), err)
	}
	return nil
}

// read reads frame i into frame, which is of the size of one, and returns the payload and
// slack bytes.
func (f *frames) read(i int, frame []byte) ([]byte, error) {
	if _, err := f.file.ReadAt(frame, int64(i)*frameSize); err != nil {
		return nil, fmt.Errorf("read frame %d of %s: %w", i, f.file.Name(), err)
	}
	n := binary.LittleEndian.Uint32(frame[8:])
	if f.sumOf(i, frame) != binary.LittleEndian.Uint64(frame) || n > maxPayload {
		return nil, fmt.Errorf("%w: frame %d of %s", errDamaged, i, f.file.Name())
	}
	return frame[frameHead:][:n+slack], nil
}

func (f *frames) close() error { return f.file.Close() }
