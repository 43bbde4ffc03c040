package output

import (
	"bufio"
	"io"
)

// A Writer writes records to the parts of one output. A part is created with its first record, so
// that an output without records does not exist.
type Writer struct {
	parts   *Parts
	done    Done
	pack    Pack
	begin   []byte
	file    *File // file of the open part, nil if no part is open
	records int64 // number of records in the open part
	size    int64 // size of the open part before compression

	// A record goes through in, packer and out to the file. Without a packer, in and out are the
	// same. All parts use these fields in turn.
	in, out *bufio.Writer
	packer  Packer
}

// A Packer compresses a part.
type Packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// A Pack returns a Packer that compresses the part at path to w, or nil if the part is not
// compressed. All parts of an output have the same extension, so one Packer serves all of them.
type Pack func(path string, w io.Writer) (Packer, error)

const bufferSize = 64 << 10

// NewWriter returns a Writer for parts. Several writers may share parts: the next part goes to the
// writer that first needs one. The Writer calls done with every part; done is usually Report.Out.
// If pack is nil, nothing is compressed.
func NewWriter(parts *Parts, done Done, pack Pack) *Writer {
	return &Writer{parts: parts, done: done, pack: pack}
}

// Begin sets the bytes at the beginning of every part created from now on. The Writer keeps b.
func (w *Writer) Begin(b []byte) { w.begin = b }

// Append appends a record, passed in pieces, to the open part. If no part is open, it creates the
// next one.
func (w *Writer) Append(pieces ...[]byte) error {
	if w.file == nil {
		if err := w.create(); err != nil {
			return err
		}
	}
	w.records++
	return w.write(pieces...)
}

func (w *Writer) write(pieces ...[]byte) error {
	for _, p := range pieces {
		n, err := w.in.Write(p)
		w.size += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// create begins a part.
func (w *Writer) create() error {
	file, err := w.parts.Create()
	if err != nil {
		return err
	}
	if w.out == nil {
		err = w.connect(file)
	} else {
		w.out.Reset(file)
		if w.packer != nil {
			w.packer.Reset(w.out)
		}
	}
	if err != nil {
		return err
	}
	w.file = file
	return w.write(w.begin)
}

// connect makes the buffers and the Packer between records and files.
func (w *Writer) connect(file *File) (err error) {
	out := bufio.NewWriterSize(file, bufferSize)
	if w.pack != nil {
		if w.packer, err = w.pack(file.Path(), out); err != nil {
			return err
		}
	}
	w.in, w.out = out, out
	if w.packer != nil {
		w.in = bufio.NewWriterSize(w.packer, bufferSize)
	}
	return nil
}

// Records returns the number of records in the open part.
func (w *Writer) Records() int64 { return w.records }

// Size returns the bytes written to the open part, before they are compressed.
func (w *Writer) Size() int64 { return w.size }

// Path returns the path of the open part, or "" if none is open.
func (w *Writer) Path() string {
	if w.file == nil {
		return ""
	}
	return w.file.Path()
}

// Cut ends the open part, closes its file and calls done. The next record begins a new part.
func (w *Writer) Cut() error {
	file, records := w.file, w.records
	if file == nil {
		return nil
	}
	w.file, w.records, w.size = nil, 0, 0
	err := w.in.Flush()
	if w.packer != nil && err == nil {
		err = w.packer.Close()
	}
	if err == nil {
		err = w.out.Flush()
	}
	if err != nil {
		return err
	}
	return file.Close(records, w.done)
}

// Close ends the last part.
func (w *Writer) Close() error { return w.Cut() }
