package warc

import (
	"bufio"

	"multitext/stages/internal/run/output"
)

// Writer writes answers to the parts of one output. Each part is created with its first answer, so that
// an output without answers does not exist.
type Writer struct {
	parts *output.Parts
	done  output.Done
	info  []byte
	cur   *part
}

type part struct {
	file    *output.File
	w       *bufio.Writer
	records int64
	size    int64
}

// NewWriter returns a Writer of the output whose first part is path ("-": standard output). done is
// told of every part with its number of answers; usually it is Report.Out.
func NewWriter(files *output.Run, path string, done output.Done) *Writer {
	return NewPartsWriter(files.Parts(path), done)
}

// NewPartsWriter is NewWriter for an output whose parts are at hand.
func NewPartsWriter(parts *output.Parts, done output.Done) *Writer {
	return &Writer{parts: parts, done: done}
}

// Info makes member, a warcinfo record from Encoder.Info or Reader.Info, the beginning of every part
// created from now on. The Writer keeps member.
func (w *Writer) Info(member []byte) { w.info = member }

// Write appends an answer to the part that is open, or creates the next.
func (w *Writer) Write(p Packed) error {
	if w.cur == nil {
		if err := w.create(); err != nil {
			return err
		}
	}
	for _, member := range [][]byte{p.Response, p.Request} {
		if err := w.cur.write(member); err != nil {
			return err
		}
	}
	w.cur.records++
	return nil
}

func (w *Writer) create() error {
	file, err := w.parts.Create()
	if err != nil {
		return err
	}
	w.cur = &part{file: file, w: bufio.NewWriterSize(file, 256<<10)}
	return w.cur.write(w.info)
}

func (p *part) write(member []byte) error {
	n, err := p.w.Write(member)
	p.size += int64(n)
	return err
}

// Records gives the number of answers in the part that is open.
func (w *Writer) Records() int64 {
	if w.cur == nil {
		return 0
	}
	return w.cur.records
}

// Size gives the bytes of the part that is open.
func (w *Writer) Size() int64 {
	if w.cur == nil {
		return 0
	}
	return w.cur.size
}

// Path gives the path of the part that is open, "" if none is.
func (w *Writer) Path() string {
	if w.cur == nil {
		return ""
	}
	return w.cur.file.Path()
}

// Cut ends the part that is open; the next answer begins another. It syncs the file and tells done.
func (w *Writer) Cut() error {
	cur := w.cur
	if cur == nil {
		return nil
	}
	w.cur = nil
	if err := cur.w.Flush(); err != nil {
		return err
	}
	return cur.file.Close(cur.records, w.done)
}

// Close ends the last part.
func (w *Writer) Close() error { return w.Cut() }
