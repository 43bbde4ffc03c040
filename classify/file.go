package classify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"
)

const (
	magic   = "mtclassm"
	version = 1
	header  = 32
	footer  = 8
	maxFile = 256 << 20
)

// Format tells the version of the model files that this package reads and writes.
func Format() string { return fmt.Sprintf("models %d", version) }

// ErrDamaged is found in every error of Parse: the bytes are no whole model file of a version
// that this package reads.
var ErrDamaged = errors.New("no sound model file")

// AppendBinary appends m as a model file to b. A model too large for one is an error.
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	b = append(b, magic...)
	for _, n := range []uint32{version, uint32(m.value), uint32(len(m.labels)), uint32(len(m.terms))} {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(m.sharpness))
	for _, s := range slices.Concat([]string{m.method}, m.labels, m.terms) {
		b = append(append(b, byte(len(s))), s...)
	}
	for _, xs := range [][]float32{m.scale, m.bias, m.weight} {
		for _, x := range xs {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	if size := len(b) - start + footer; size > maxFile {
		return nil, fmt.Errorf("a model of %d terms and %d labels takes %d bytes; a file has %d at most: choose fewer terms",
			len(m.terms), len(m.labels), size, maxFile)
	}
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b[start:])), nil
}

// Load reads a model from a file.
func Load(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", path, err)
	}
	m, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("load model %s: %w", path, err)
	}
	return m, nil
}

// Parse reads a model file. It takes memory in proportion to len(data), whatever the file says
// of itself. Errors wrap ErrDamaged.
func Parse(data []byte) (*Model, error) {
	m, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

func parse(data []byte) (*Model, error) {
	switch {
	case len(data) < header+footer || string(data[:len(magic)]) != magic:
		return nil, errors.New("it does not begin like one")
	case len(data) > maxFile:
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	}
	r := reader{rest: data[len(magic) : len(data)-footer]}
	if v := r.uint32(); v != version {
		return nil, fmt.Errorf("it is of version %d; this program reads %d", v, version)
	}
	if xxhash.Sum64(data[:len(data)-footer]) != binary.LittleEndian.Uint64(data[len(data)-footer:]) {
		return nil, errors.New("its checksum is wrong: it was cut or changed")
	}
	m := &Model{value: value(r.uint32())}
	labels, terms := int(r.uint32()), int(r.uint32())
	m.sharpness = math.Float64frombits(r.uint64())
	switch {
	case m.value > byLog:
		return nil, fmt.Errorf("its f(n) is number %d", m.value)
	case labels < 1 || labels > MaxLabels:
		return nil, fmt.Errorf("it has %d labels, not 1 to %d", labels, MaxLabels)
	case !(m.sharpness > 0) || math.IsInf(m.sharpness, 1):
		return nil, fmt.Errorf("its sharpness is %v", m.sharpness)
	}
	if err := r.arrays(m, labels, terms); err != nil {
		return nil, err
	}
	return m, m.prepare()
}

// arrays reads all that follows the header.
func (r *reader) arrays(m *Model, labels, terms int) error {
	// At the least: one string of two bytes, and all the others; then the floats.
	k, n := int64(labels), int64(terms)
	if least := 2 + 2*(k+n) + 4*(n+k+k*n); n < 0 || int64(len(r.rest)) < least {
		return fmt.Errorf("it is too short for %d labels and %d terms", labels, terms)
	}
	m.method = r.strings(1)[0]
	m.labels = r.strings(labels)
	m.terms = r.strings(terms)
	if len(r.rest) != 4*(terms+labels+labels*terms) {
		return errors.New("its strings and numbers do not fill it")
	}
	if m.method == "" || !ascending(m.labels) || !ascending(m.terms) {
		return errors.New("its labels or terms are empty or not in order")
	}
	m.scale, m.bias, m.weight = r.floats(terms), r.floats(labels), r.floats(labels*terms)
	return nil
}

// ascending says whether words are in strict order and none is empty.
func ascending(words []string) bool {
	for i, w := range words {
		if w == "" || i > 0 && words[i-1] >= w {
			return false
		}
	}
	return true
}

// A reader takes values from the front of rest. Past its end it gives zeros, and rest is empty.
type reader struct{ rest []byte }

func (r *reader) take(n int) []byte {
	if n > len(r.rest) {
		r.rest = nil
		return make([]byte, n)
	}
	b := r.rest[:n]
	r.rest = r.rest[n:]
	return b
}

func (r *reader) uint32() uint32 { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) uint64() uint64 { return binary.LittleEndian.Uint64(r.take(8)) }

// strings reads n strings; all share one piece of memory.
func (r *reader) strings(n int) []string {
	size := 0
	for from, i := r.rest, 0; i < n && size < len(from); i++ {
		size += 1 + int(from[size])
	}
	all := string(r.take(size))
	words := make([]string, n)
	for i := range words {
		if all == "" {
			break // and the words left over are empty, which no word of a file is
		}
		end := 1 + int(all[0])
		words[i], all = all[1:end], all[end:]
	}
	return words
}

func (r *reader) floats(n int) []float32 {
	b, xs := r.take(4*n), make([]float32, n)
	for i := range xs {
		xs[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return xs
}
