package segment

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

// Writer writes one segment. It holds one block and the index, 32 bytes for each block written.
type Writer struct {
	file   *blockfile.Writer
	path   string
	values bool

	keys   []uint64 // of the block that is being filled
	column []byte   // the same as they are written
	ends   []byte
	data   []byte
	last   uint64
	total  uint64
}

// Create creates a segment at path, with values or of keys alone; the keys are made by hash.
func Create(files *output.Run, path string, values bool, hash *keyed.Hash) (*Writer, error) {
	flags := uint32(0)
	if values {
		flags = hasValues
	}
	file, err := kind.Create(files, path, flags, hash)
	if err != nil {
		return nil, err
	}
	return &Writer{file: file, path: path, values: values}, nil
}

// Add appends an entry. Keys must ascend strictly. In a segment of keys alone value is dropped.
func (w *Writer) Add(key uint64, value []byte) error {
	if w.total > 0 && key <= w.last {
		return w.descends(key)
	}
	if len(value) > maxValue {
		return fmt.Errorf("write segment %s: value of %d bytes, more than %d", w.path, len(value), maxValue)
	}
	w.last = key
	w.total++
	w.keys = append(w.keys, key)
	if w.values {
		w.data = append(w.data, value...)
		w.ends = binary.LittleEndian.AppendUint32(w.ends, uint32(len(w.data)))
	}
	if len(w.keys) == blockKeys || len(w.data) > blockValues {
		return w.flush()
	}
	return nil
}

// addAll appends the entries of s.
func (w *Writer) addAll(s stream) error {
	if w.values {
		return each(s, w.Add)
	}
	for {
		e, err := s.next()
		if err != nil || len(e.Keys) == 0 {
			return err
		}
		if err := w.addKeys(e.Keys); err != nil {
			return err
		}
	}
}

// addKeys appends keys of a segment of keys alone.
func (w *Writer) addKeys(keys []uint64) error {
	for len(keys) > 0 {
		n := min(len(keys), blockKeys-len(w.keys))
		for _, key := range keys[:n] {
			if key <= w.last && w.total > 0 {
				return w.descends(key)
			}
			w.last = key
			w.total++
		}
		w.keys = append(w.keys, keys[:n]...)
		keys = keys[n:]
		if len(w.keys) == blockKeys {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Writer) descends(key uint64) error {
	return fmt.Errorf("write segment %s: key %016x behind %016x", w.path, key, w.last)
}

// flush writes the block.
func (w *Writer) flush() (err error) {
	if len(w.keys) == 0 {
		return nil
	}
	x := block{first: w.keys[0], n: uint32(len(w.keys))}
	if w.values {
		w.encode(0, 8)
	} else { // as short as the last one's distance from the first lets them be
		x.width = uint32(max(1, (bits.Len64(w.last-x.first)+7)/8))
		w.encode(x.first, int(x.width))
	}
	if x.offset, x.sum, err = w.file.Block(w.column, w.ends, w.data); err != nil {
		return err
	}
	w.file.Index = x.append(w.file.Index)
	w.keys, w.ends, w.data = w.keys[:0], w.ends[:0], w.data[:0]
	return nil
}

// encode makes the column of the block's keys: each less base, of width bytes.
func (w *Writer) encode(base uint64, width int) {
	size := width * len(w.keys)
	w.column = slices.Grow(w.column[:0], size+8)[:size+8] // 8 bytes are put where the last begins
	for i, key := range w.keys {
		binary.LittleEndian.PutUint64(w.column[i*width:], key-base)
	}
	w.column = w.column[:size]
}

// Close writes index and footer, closes the file and tells done.
func (w *Writer) Close(done output.Done) error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.file.Close(w.total, done)
}
