package main

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/run/percent"
)

// format is the first line of a segment.
const format = "# survey 1"

// lastLine is the last line of a segment: its number of rows, and the XXH64 of the lines above.
const lastLine = "# rows %d xxh64 %016x"

// longest is more bytes than a line of a segment has.
const longest = 256 << 10

var errDamaged = errors.New("damaged")

// A segmentReader reads the rows of a segment.
type segmentReader struct {
	path string
	file io.ReadCloser
	in   *bufio.Scanner
	sum  hash.Hash64
	rows int64
	last row
}

// openSegment opens a segment. Without a path it has no rows.
func openSegment(path string) (*segmentReader, error) {
	r := &segmentReader{path: path}
	if path == "" {
		return r, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	r.file, r.in, r.sum = f, bufio.NewScanner(f), xxhash.New()
	r.in.Buffer(nil, longest)
	if line, err := r.line(); err != nil || line != format {
		f.Close()
		return nil, r.damaged(fmt.Errorf("it begins with %.40q, want %q", line, format))
	}
	r.count(format)
	return r, nil
}

func (r *segmentReader) close() {
	if r.file != nil {
		r.file.Close()
	}
}

func (r *segmentReader) damaged(err error) error {
	return fmt.Errorf("segment %s: %w: %w", r.path, errDamaged, err)
}

func (r *segmentReader) line() (string, error) {
	if !r.in.Scan() {
		return "", r.damaged(errors.Join(r.in.Err(), errors.New("it has no last line")))
	}
	return r.in.Text(), nil
}

func (r *segmentReader) count(line string) { io.WriteString(r.sum, line+"\n") } // a Hash gives no error

// next returns the next row, or nil after the last.
func (r *segmentReader) next() (*row, error) {
	if r.path == "" {
		return nil, nil
	}
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(line, "#") {
		if want := fmt.Sprintf(lastLine, r.rows, r.sum.Sum64()); line != want || r.in.Scan() {
			return nil, r.damaged(fmt.Errorf("it ends with %.60q, want %q", line, want))
		}
		return nil, nil
	}
	r.count(line)
	r.rows++
	parsed, err := parseRow(line)
	if err == nil && r.rows > 1 && r.last.order(parsed) >= 0 {
		err = errors.New("its place is before that of the row above")
	}
	if err != nil {
		return nil, r.damaged(fmt.Errorf("row %d: %w", r.rows, err))
	}
	r.last = row{kind: parsed.kind, name: parsed.name}
	return parsed, nil
}

// parseRow reads a line of a segment: kind, name, example, numbers.
func parseRow(line string) (*row, error) {
	f := strings.Split(line, "\t")
	if len(f) < 4 || len(f) > 3+hostColumns {
		return nil, fmt.Errorf("%d columns", len(f))
	}
	r := &row{kind: f[0], text: f[2]}
	var err error
	if r.name, err = percent.Unescape(f[1]); err != nil {
		return nil, err
	}
	for _, field := range f[3:] {
		v, err := strconv.ParseInt(field, 10, 64)
		if err != nil || v < 0 {
			return nil, fmt.Errorf("%.40q is no number", field)
		}
		r.n = append(r.n, v)
	}
	return r, nil
}

// A segmentWriter writes the rows of a segment.
type segmentWriter struct {
	out  io.Writer
	sum  hash.Hash64
	rows int64
}

func newSegmentWriter(out io.Writer) (*segmentWriter, error) {
	w := &segmentWriter{out: out, sum: xxhash.New()}
	return w, w.line(format)
}

func (w *segmentWriter) line(text string) error {
	io.WriteString(w.sum, text+"\n") // a Hash gives no error
	_, err := io.WriteString(w.out, text+"\n")
	return err
}

func (w *segmentWriter) row(r *row) error {
	w.rows++
	var b strings.Builder
	fmt.Fprintf(&b, "%s\t%s\t%s", r.kind, percent.Escape(r.name), r.text)
	for _, v := range r.n {
		b.WriteByte('\t')
		b.WriteString(strconv.FormatInt(v, 10))
	}
	return w.line(b.String())
}

func (w *segmentWriter) end() error { return w.line(fmt.Sprintf(lastLine, w.rows, w.sum.Sum64())) }
