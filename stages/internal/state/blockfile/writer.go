package blockfile

import (
	"bufio"
	"bytes"
	"encoding/binary"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
)

// Writer writes one file. It holds the index in memory.
type Writer struct {
	Index []byte // the caller appends an entry for each block

	kind   *Kind
	file   *output.File
	buf    *bufio.Writer
	header []byte
	offset uint64
}

// Create creates a file at path; its keys are made by hash.
func (k *Kind) Create(files *output.Run, path string, flags uint32, hash *keyed.Hash) (*Writer, error) {
	file, err := files.Create(path)
	if err != nil {
		return nil, err
	}
	head := k.header(flags, hash.Mark())
	w := &Writer{kind: k, file: file, buf: bufio.NewWriterSize(file, 256<<10), header: head,
		offset: uint64(len(head))}
	_, err = w.buf.Write(head)
	return w, err
}

// Block writes a block, the parts one behind the other, and returns its offset in the file and the
// XXH64 of its bytes.
func (w *Writer) Block(parts ...[]byte) (offset, sum uint64, err error) {
	offset = w.offset
	all := xxhash.New()
	for _, part := range parts {
		all.Write(part)
		if _, err := w.buf.Write(part); err != nil {
			return 0, 0, err
		}
		w.offset += uint64(len(part))
	}
	return offset, all.Sum64(), nil
}

// Close writes index and footer, closes the file of so many entries and tells done.
func (w *Writer) Close(total uint64, done output.Done) error {
	w.buf.Write(w.Index)
	w.buf.Write(w.footer(total))
	if err := w.buf.Flush(); err != nil {
		return err
	}
	return w.file.Close(int64(total), done)
}

func (w *Writer) footer(total uint64) []byte {
	b := bytes.Clone(w.header)
	b = binary.LittleEndian.AppendUint64(b, total)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(w.Index)/w.kind.Entry))
	b = binary.LittleEndian.AppendUint64(b, w.offset)
	b = binary.LittleEndian.AppendUint64(b, xxhash.Sum64(w.Index))
	b = append(b, w.kind.EndMagic...)
	return binary.LittleEndian.AppendUint64(b, xxhash.Sum64(b))[len(w.header):]
}
