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
	file    *File // of the part that is open, nil if none is
	records int64 // in it, 0 if none is open
	size    int64 // of its bytes, before they are compressed

	// A record goes through in, packer and out to the file; without a packer in is out. All parts
	// use them in turn.
	in, out *bufio.Writer
	packer  Packer
}

// A Packer compresses a part.
type Packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// A Pack makes the Packer that writes to w what goes into the part at path, nil if it is not
// compressed. All parts of an output have one extension, so one Packer serves them all.
type Pack func(path string, w io.Writer) (Packer, error)

const bufferSize = 64 << 10

// NewWriter returns a Writer of parts, which several writers may share: each part goes to the one
// that asks first. The Writer calls done with every part; done is usually Report.Out. A nil pack
// compresses nothing.
func NewWriter(parts *Parts, done Done, pack Pack) *Writer {
	return &Writer{parts: parts, done: done, pack: pack}
}

// Begin makes b the beginning of every part created from now on. The Writer keeps b.
func (w *Writer) Begin(b []byte) { w.begin = b }

// Append appends a record, given in pieces, to the open part, or creates the next.
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

// Path returns the path of the open part, "" if none is open.
func (w *Writer) Path() string {
	if w.file == nil {
		return ""
	}
	return w.file.Path()
}

// Cut ends the open part, closes its file and tells done; the next record begins another.
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
