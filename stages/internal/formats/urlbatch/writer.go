package urlbatch

import (
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"multitext/stages/internal/run/output"
)

// Writer writes records to the parts of one output; its methods beside Write are those of
// [output.Writer].
type Writer struct{ *output.Writer }

// NewWriter returns a Writer of the output whose first part is path ("-": standard output).
// done is told of every part, usually Report.Out.
func NewWriter(files *output.Run, path string, done output.Done) *Writer {
	return NewPartsWriter(files.Parts(path), done)
}

// NewPartsWriter returns a Writer that takes its parts from parts, which several writers
// may share: each part goes to the one that asks first.
func NewPartsWriter(parts *output.Parts, done output.Done) *Writer {
	return &Writer{output.NewWriter(parts, done, compressor)}
}

var newline = []byte("\n")

// Write appends rec to the part that is open, or creates the next. A record that attributes
// made longer than MaxLine loses the longest of them.
func (w *Writer) Write(rec *Record) error {
	if len(rec.line) > MaxLine && !rec.shorten() {
		return fmt.Errorf("write record %.80q…: a URL of %d bytes, longer than a line may be", rec.line, rec.url)
	}
	return w.Append(rec.line, newline)
}

// windowSize is how far back the compressor of a batch looks. It keeps twice as much, so that it
// moves each byte once to make room: with its lesser memory it would move the whole window for
// every 128 KiB. Twice the window makes the links of real pages one percent smaller, and five if
// their lines are shuffled.
const windowSize = 512 << 10

// compressor makes the compressor that the extension of path asks for.
func compressor(path string, w io.Writer) (output.Packer, error) {
	switch {
	case strings.HasSuffix(path, ".zst"):
		z, err := zstd.NewWriter(w, zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize))
		if err != nil {
			return nil, fmt.Errorf("write batch %s: %w", path, err)
		}
		return z, nil
	case strings.HasSuffix(path, ".gz"):
		return gzip.NewWriter(w), nil
	}
	return nil, nil
}
