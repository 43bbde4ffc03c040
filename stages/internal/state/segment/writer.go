package segment

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
)

// Writer writes one segment. It holds one block and the index, 32 bytes for each block written.
type Writer struct {
	file   *output.File
	buf    *bufio.Writer
	path   string
	values bool
	header []byte

	keys   []uint64 // of the block that is being filled
	column []byte   // the same as they are written
	ends   []byte
	data   []byte
	last   uint64
	total  uint64
	offset uint64
	index  []byte
}

// Create creates a segment at path, with values or of keys alone; the keys are made by hash.
func Create(files *output.Run, path string, values bool, hash *keyed.Hash) (*Writer, error) {
	file, err := files.Create(path)
	if err != nil {
		return nil, err
	}
	head := header(values, hash.Mark())
	w := &Writer{file: file, buf: bufio.NewWriterSize(file, 256<<10), path: path, values: values,
		header: head, offset: uint64(len(head))}
	_, err = w.buf.Write(head)
	return w, err
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
func (w *Writer) flush() error {
	if len(w.keys) == 0 {
		return nil
	}
	sum := xxhash.New()
	x := block{offset: w.offset, first: w.keys[0], n: uint32(len(w.keys))}
	if w.values {
		w.encode(0, 8)
	} else { // as short as the last one's distance from the first lets them be
		x.width = uint32(max(1, (bits.Len64(w.last-x.first)+7)/8))
		w.encode(x.first, int(x.width))
	}
	for _, part := range [][]byte{w.column, w.ends, w.data} {
		sum.Write(part)
		if _, err := w.buf.Write(part); err != nil {
			return err
		}
		w.offset += uint64(len(part))
	}
	x.sum = sum.Sum64()
	w.index = x.append(w.index)
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
	w.buf.Write(w.index)
	w.buf.Write(w.footer())
	if err := w.buf.Flush(); err != nil {
		return err
	}
	return w.file.Close(int64(w.total), done)
}

func (w *Writer) footer() []byte {
	b := bytes.Clone(w.header)
	b = binary.LittleEndian.AppendUint64(b, w.total)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(w.index)/indexSize))
	b = binary.LittleEndian.AppendUint64(b, w.offset)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(w.index))
	b = append(b, endMagic...)
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))[len(w.header):]
}
