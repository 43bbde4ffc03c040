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

// A fileHeader is the beginning of a model file, without padding; see AppendBinary.
type fileHeader struct {
	Magic                         [8]byte
	Version, Value, Labels, Terms uint32
	Sharpness                     float64
}

const (
	magic   = "mtclassm"
	version = 1
	header  = 32
	footer  = 8
	maxFile = 256 << 20
)

// Format returns the version of the model files that this package reads and writes.
func Format() string { return fmt.Sprintf("models %d", version) }

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
	b, err := binary.Append(b, binary.LittleEndian, fileHeader{[8]byte([]byte(magic)), version,
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
	if size := len(b) - start + footer; size > maxFile {
		return nil, fmt.Errorf("a model of %d terms and %d labels takes %d bytes; a file has %d at most: "+
			"choose fewer terms", len(m.terms), len(m.labels), size, maxFile)
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
	switch {
	case len(data) < header+footer || string(data[:len(magic)]) != magic:
		return nil, errors.New("it does not begin like one")
	case len(data) > maxFile:
		return nil, fmt.Errorf("it has more than %d bytes", maxFile)
	}
	var h fileHeader
	if _, err := binary.Decode(data, binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	body, sum := data[:len(data)-footer], binary.LittleEndian.Uint64(data[len(data)-footer:])
	switch m := (&Model{value: value(h.Value), sharpness: h.Sharpness}); {
	case h.Version != version:
		return nil, fmt.Errorf("it is of version %d; this program reads %d", h.Version, version)
	case xxhash.Sum64(body) != sum:
		return nil, errors.New("its checksum is wrong: it was cut or changed")
	case m.value > byLog:
		return nil, fmt.Errorf("its f(n) is number %d", m.value)
	case h.Labels < 1 || h.Labels > maxLabels:
		return nil, fmt.Errorf("it has %d labels, not 1 to %d", h.Labels, maxLabels)
	case !(m.sharpness > 0) || math.IsInf(m.sharpness, 1):
		return nil, fmt.Errorf("its sharpness is %v", m.sharpness)
	default:
		if err := m.fill(body[header:], int(h.Labels), int(h.Terms)); err != nil {
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
