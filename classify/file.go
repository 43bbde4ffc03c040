package classify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"multitext/classify/internal/modelfile"
)

// A fileHeader is the beginning of a model file, without padding; see AppendBinary.
type fileHeader struct {
	Magic                         [8]byte
	Version, Value, Labels, Terms uint32
	Sharpness                     float64
}

// kind is the kind of the files; their header is a fileHeader.
var kind = modelfile.Kind{Magic: "mtclassm", Version: 1, Header: 32}

// Format returns the version of the model files that this package reads and writes.
func Format() string { return fmt.Sprintf("models %d", kind.Version) }

// Every error of Parse wraps ErrDamaged: the bytes are not a complete model file of a version that
// this package reads.
var ErrDamaged = errors.New("no sound model file")

// AppendBinary appends m as a model file to b. It returns an error if m is too large for a file.
//
// In a model file of version 1, integers are little-endian, and floats have the IEEE 754 format:
//
//	header   32 bytes:
//	           "mtclassm"
//	           uint32       version = 1
//	           uint32       f(n): 0 is n, 1 is 1, 2 is log(1+n)
//	           uint32       K, the labels: 1 to 4,096
//	           uint32       N, the terms
//	           float64      sharpness, positive and finite
//	strings  each a uint8 length, then as many bytes, at least 1:
//	           the name of the method
//	           K labels, strictly ascending
//	           N terms, strictly ascending
//	scale    N × float32
//	bias     K × float32
//	weight   N × K × float32, term by term
//	footer   uint64 XXH64 (seed 0) of all bytes before it
//
// The floats of scale, bias and weight are between -10^9 and 10^9. Nothing follows the footer. A
// file has at most 256 MiB. A reader refuses an unknown version. testdata/v1 contains a model of
// each method; every later version must be able to read it.
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	start := len(b)
	b, err := binary.Append(b, binary.LittleEndian, fileHeader{[8]byte([]byte(kind.Magic)), kind.Version,
		uint32(m.value), uint32(len(m.labels)), uint32(len(m.terms)), m.sharpness})
	for _, s := range slices.Concat([]string{m.method}, m.labels, m.terms) {
		b = append(append(b, byte(len(s))), s...)
	}
	for _, xs := range [][]float32{m.scale, m.bias, m.weight} {
		if err == nil {
			b, err = binary.Append(b, binary.LittleEndian, xs)
		}
	}
	if err != nil {
		return nil, err
	}
	if size := len(b) - start + modelfile.FooterSize; size > modelfile.MaxSize {
		return nil, fmt.Errorf("a model of %d terms and %d labels takes %d bytes; a file has %d at most: "+
			"choose fewer terms", len(m.terms), len(m.labels), size, modelfile.MaxSize)
	}
	return modelfile.Seal(b, start), nil
}

// Load reads a model from a file.
func Load(path string) (*Model, error) { return modelfile.Load(path, "model", Parse) }

// Parse reads a model file. Its memory is proportional to len(data), whatever sizes the file
// contains. Errors wrap ErrDamaged.
func Parse(data []byte) (*Model, error) {
	m, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

func parse(data []byte) (*Model, error) {
	body, err := kind.Body(data)
	if err != nil {
		return nil, err
	}
	var h fileHeader
	if _, err := binary.Decode(data, binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	switch m := (&Model{value: value(h.Value), sharpness: h.Sharpness}); {
	case m.value > byLog:
		return nil, fmt.Errorf("its f(n) is number %d", m.value)
	case h.Labels < 1 || h.Labels > maxLabels:
		return nil, fmt.Errorf("it has %d labels, not 1 to %d", h.Labels, maxLabels)
	case !(m.sharpness > 0) || math.IsInf(m.sharpness, 1):
		return nil, fmt.Errorf("its sharpness is %v", m.sharpness)
	default:
		if err := m.fill(body, int(h.Labels), int(h.Terms)); err != nil {
			return nil, err
		}
		return m, m.prepare()
	}
}

// fill reads the strings and numbers of a model of k labels and n terms.
func (m *Model) fill(body []byte, k, n int) error {
	numbers := n + k + k*n
	if len(body) < 2*(1+k+n)+4*numbers { // a string has at least two bytes
		return fmt.Errorf("it is too short for %d labels and %d terms", k, n)
	}
	words, rest, ok := cutStrings(body, 1+k+n)
	if !ok || len(rest) != 4*numbers {
		return errors.New("its strings and numbers do not fill it")
	}
	m.method, m.labels, m.terms = words[0], words[1:1+k:1+k], words[1+k:]
	if m.method == "" || !ascending(m.labels) || !ascending(m.terms) {
		return errors.New("its labels or terms are empty or not in order")
	}
	floats := make([]float32, numbers)
	if _, err := binary.Decode(rest, binary.LittleEndian, floats); err != nil {
		return err
	}
	m.scale, m.bias, m.weight = floats[:n:n], floats[n:n+k:n+k], floats[n+k:]
	return nil
}

// cutStrings reads n strings from the beginning of b. All share one allocation. ok is false if
// there are fewer than n.
func cutStrings(b []byte, n int) (words []string, rest []byte, ok bool) {
	size := 0
	for range n {
		if size >= len(b) {
			return nil, nil, false
		}
		size += 1 + int(b[size])
	}
	if size > len(b) {
		return nil, nil, false
	}
	all := string(b[:size])
	words = make([]string, 0, n)
	for range n {
		end := 1 + int(all[0])
		words, all = append(words, all[1:end]), all[end:]
	}
	return words, b[size:], true
}

// ascending reports whether words are in strictly ascending order and none is empty.
func ascending(words []string) bool {
	for i, w := range words {
		if w == "" || i > 0 && words[i-1] >= w {
			return false
		}
	}
	return true
}
