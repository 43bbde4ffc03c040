package urlbatch

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/run/output"
)

// Writer writes records to the parts of one output. Each part is created with its first
// record, so that an output without records does not exist.
type Writer struct {
	parts *output.Parts
	done  output.Done
	cur   *part
	last  *part // whose memory the next one takes
}

// part is a file that is being written: lines → buffer → compressor → buffer → file.
type part struct {
	file    *output.File
	packed  *bufio.Writer
	packer  packer // nil for plain text
	lines   *bufio.Writer
	records int64
}

// packer is the compressor of a part.
type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

// NewWriter returns a Writer of the output whose first part is path ("-": standard output).
// done is told of every part, usually Report.Out.
func NewWriter(files *output.Run, path string, done output.Done) *Writer {
	return NewPartsWriter(files.Parts(path), done)
}

// NewPartsWriter returns a Writer that takes its parts from parts, which several writers
// may share: each part goes to the one that asks first.
func NewPartsWriter(parts *output.Parts, done output.Done) *Writer {
	return &Writer{parts: parts, done: done}
}

// Write appends rec to the part that is open, or creates the next. A record that attributes
// made longer than MaxLine loses the longest of them.
func (w *Writer) Write(rec *Record) error {
	if len(rec.line) > MaxLine && !rec.shorten() {
		return fmt.Errorf("write record %.80q…: a URL of %d bytes, longer than a line may be", rec.line, rec.url)
	}
	if w.cur == nil {
		file, err := w.parts.Create()
		if err != nil {
			return err
		}
		if w.last != nil {
			w.cur, w.last = w.last, nil
			w.cur.begin(file)
		} else if w.cur, err = newPart(file); err != nil {
			return err
		}
	}
	w.cur.records++
	w.cur.lines.Write(rec.line)
	return w.cur.lines.WriteByte('\n')
}

// Records returns the number of records in the part that is open.
func (w *Writer) Records() int64 {
	if w.cur == nil {
		return 0
	}
	return w.cur.records
}

// Path returns the path of the part that is open, "" if none is.
func (w *Writer) Path() string {
	if w.cur == nil {
		return ""
	}
	return w.cur.file.Path()
}

// Cut ends the part that is open: the next record begins another. It syncs the file and
// tells done.
func (w *Writer) Cut() error {
	cur := w.cur
	if cur == nil {
		return nil
	}
	w.cur = nil
	if err := cur.finish(); err != nil {
		return err
	}
	w.last = cur
	return cur.file.Close(cur.records, w.done)
}

// Close ends the last part.
func (w *Writer) Close() error { return w.Cut() }

// begin begins another file. All parts of an output have one extension.
func (p *part) begin(file *output.File) {
	p.file, p.records = file, 0
	p.packed.Reset(file)
	if p.packer != nil {
		p.packer.Reset(p.packed)
	}
}

// windowSize is how far back the compressor of a batch looks. It keeps twice as much, so that it moves each byte once to make room:
// with its lesser memory it would move the whole window for every 128 KiB. Twice the window makes the links of real pages
// one percent smaller, and five if their lines are shuffled.
const windowSize = 512 << 10

func newPart(file *output.File) (*part, error) {
	p := &part{file: file, packed: bufio.NewWriterSize(file, 64<<10)}
	switch path := file.Path(); {
	case strings.HasSuffix(path, ".zst"):
		z, err := zstd.NewWriter(p.packed, zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize))
		if err != nil {
			return nil, fmt.Errorf("write batch %s: %w", path, err)
		}
		p.packer = z
	case strings.HasSuffix(path, ".gz"):
		p.packer = gzip.NewWriter(p.packed)
	default:
		p.lines = p.packed
		return p, nil
	}
	p.lines = bufio.NewWriterSize(p.packer, 64<<10)
	return p, nil
}

func (p *part) finish() error {
	err := p.lines.Flush()
	if p.packer != nil && err == nil {
		err = p.packer.Close()
	}
	if err == nil {
		err = p.packed.Flush()
	}
	return err
}
