package learned

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

const (
	blockVersion = 1
	weightBytes  = 9
)

// Changed calls add with the number and the value of each block that has changed.
func (m *Model) Changed(add func(n int, value []byte)) {
	for n, changed := range m.changed {
		if changed {
			add(n, m.block(n))
		}
	}
}

// block is the value of a block.
func (m *Model) block(n int) []byte {
	b := []byte{blockVersion}
	for i, w := range m.weights[n*blockSize:][:blockSize] {
		if w != (weight{}) {
			b = binary.LittleEndian.AppendUint32(append(b, byte(i)), math.Float32bits(w.w))
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(w.g))
		}
	}
	return b
}

// Load takes in a block that was written before.
func (m *Model) Load(n int, value []byte) error {
	if n < 0 || n >= Blocks {
		return fmt.Errorf("weights have a block %d, there are %d", n, Blocks)
	}
	return parse(value, func(i int, w weight) { m.weights[n*blockSize+i] = w })
}

// Verify judges the value of a block.
func Verify(value []byte) error { return parse(value, func(int, weight) {}) }

func float(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }

var errBlock = errors.New("block of weights is malformed")

// parse calls each with the weights of a block.
func parse(value []byte, each func(i int, w weight)) error {
	if len(value) == 0 || len(value)%weightBytes != 1 {
		return errBlock
	}
	if value[0] != blockVersion {
		return fmt.Errorf("block of weights has version %d, this program reads version %d", value[0], blockVersion)
	}
	last := -1
	for b := value[1:]; len(b) > 0; b = b[weightBytes:] {
		i := int(b[0])
		w := weight{float(b[1:]), float(b[5:])}
		if i <= last || i >= blockSize || !(w.w >= -widest && w.w <= widest) || !(w.g >= 0 && w.g <= math.MaxFloat32) {
			return errBlock
		}
		each(i, w)
		last = i
	}
	return nil
}
