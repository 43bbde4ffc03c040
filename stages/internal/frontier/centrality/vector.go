package centrality

import (
	"encoding/binary"
	"fmt"
	"math"
)

// inFrame is the number of ranks in a frame, each a little-endian float32.
const inFrame = maxPayload / 4

// vector is a file of ranks, or of other values: of page 0, of page 1 and so on.
type vector struct {
	*frames
	n      uint64 // ranks written
	buffer []byte // of the frame that is being written
	frame  []byte // the frame that was read last,
	number int    // its number, -1: none,
	read   []byte // and its payload with slack
}

func newVector() (*vector, error) {
	f, err := newFrames()
	if err != nil {
		return nil, err
	}
	return &vector{frames: f, buffer: make([]byte, frameHead, frameSize), frame: make([]byte, frameSize),
		number: -1}, nil
}

// restart lets add begin again with page 0.
func (v *vector) restart() {
	v.n, v.number, v.buffer = 0, -1, v.buffer[:frameHead]
}

// add appends the rank of the next page.
func (v *vector) add(rank float32) error {
	v.buffer = binary.LittleEndian.AppendUint32(v.buffer, math.Float32bits(rank))
	v.n++
	if v.n%inFrame > 0 {
		return nil
	}
	return v.flush()
}

// upTo appends value for the pages up to the one that is named, which has none then.
func (v *vector) upTo(page uint64, value float32) error {
	for v.n < page {
		if err := v.add(value); err != nil {
			return err
		}
	}
	return nil
}

// flush writes the frame that is begun; nothing may be added behind it.
func (v *vector) flush() error {
	if len(v.buffer) <= frameHead {
		return nil
	}
	err := v.write(int((v.n-1)/inFrame), v.buffer)
	v.buffer = v.buffer[:frameHead]
	return err
}

// at returns the rank of a page. It is quick where pages are asked for in ascending order.
func (v *vector) at(page uint32) (float32, error) {
	if i := int(page / inFrame); i != v.number {
		if err := v.load(i); err != nil {
			return 0, err
		}
	}
	at := int(page%inFrame) * 4
	if at >= len(v.read)-slack {
		return 0, fmt.Errorf("%w: page %d has no rank", errDamaged, page)
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(v.read[at:])), nil
}

func (v *vector) load(i int) (err error) {
	v.number = -1
	if v.read, err = v.frames.read(i, v.frame); err != nil {
		return err
	}
	v.number = i
	return nil
}
