package ordered

import (
	"encoding/binary"
	"fmt"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

// writer writes one segment. It holds one block and the index, 40 bytes for each block written.
type writer struct {
	file  *blockfile.Writer
	path  string
	keys  []Key // of the block that is being filled
	ends  []uint32
	data  []byte
	last  Key
	total uint64

	column, endings []byte // the keys and ends as they are written
}

// create creates a segment at path; the keys are made by hash.
func create(files *output.Run, path string, hash *keyed.Hash) (*writer, error) {
	file, err := kind.Create(files, path, 0, hash)
	if err != nil {
		return nil, err
	}
	return &writer{file: file, path: path}, nil
}

// add appends an entry. Keys must ascend strictly. It is the Put of a merge.
func (w *writer) add(key Key, value []byte) error {
	if w.total > 0 && !w.last.Less(key) {
		return fmt.Errorf("write %s %s: key %v behind %v", kind.Name, w.path, key, w.last)
	}
	if len(value) > maxValue {
		return fmt.Errorf("write %s %s: value of %d bytes, more than %d", kind.Name, w.path, len(value), maxValue)
	}
	w.last = key
	w.total++
	w.keys = append(w.keys, key)
	w.data = append(w.data, value...)
	w.ends = append(w.ends, uint32(len(w.data)))
	if keySize*len(w.keys)+len(w.data) >= blockBytes {
		return w.flush()
	}
	return nil
}

// flush writes the block.
func (w *writer) flush() (err error) {
	if len(w.keys) == 0 {
		return nil
	}
	x := block{first: w.keys[0], n: uint32(len(w.keys))}
	x.mask = w.encodeKeys()
	x.ends = w.encodeEnds()
	if x.offset, x.sum, err = w.file.Block(w.column, w.endings, w.data); err != nil {
		return err
	}
	w.file.Index = x.append(w.file.Index)
	w.keys, w.ends, w.data = w.keys[:0], w.ends[:0], w.data[:0]
	return nil
}

// encodeKeys makes the column of the block's keys and returns its mask.
func (w *writer) encodeKeys() (mask uint16) {
	var differ Key
	for _, key := range w.keys {
		differ.Hi |= key.Hi ^ w.keys[0].Hi
		differ.Lo |= key.Lo ^ w.keys[0].Lo
	}
	mask = maskOf(differ)
	var c columns
	c.set(mask)
	w.column = w.column[:0]
	for _, key := range w.keys {
		w.column = c.append(w.column, key)
	}
	return mask
}

// encodeEnds makes the ends of the block's values and returns their width in bytes.
func (w *writer) encodeEnds() (width uint16) {
	w.endings = w.endings[:0]
	switch n := len(w.data); {
	case n == 0:
		return 0
	case n < 64<<10:
		for _, end := range w.ends {
			w.endings = binary.LittleEndian.AppendUint16(w.endings, uint16(end))
		}
		return 2
	}
	for _, end := range w.ends {
		w.endings = binary.LittleEndian.AppendUint32(w.endings, end)
	}
	return 4
}

// close writes what is left, and tells done.
func (w *writer) close(done output.Done) error {
	if err := w.flush(); err != nil {
		return err
	}
	return w.file.Close(w.total, done)
}
