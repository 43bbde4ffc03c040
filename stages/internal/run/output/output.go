// Package output creates the files of one run of a stage.
//
// The path of its first part identifies an output. In a crawl this path is
//
//	DIR/m-TTTTTTTTTTTT-00001.EXT
//
// with the number of the transaction (12 digits) and of the part (5 digits). A stage that splits
// its output writes DIR/m-TTTTTTTTTTTT-00002.EXT and so on beside it. By hand you may use any path:
// after x.zst comes x-00002.zst, after x.warc.gz comes x-00002.warc.gz. The path "-" is standard
// output, to which all parts are written as one stream.
//
// Every file follows three rules:
//
//   - A file is created with its first byte, and an existing file is never overwritten (O_EXCL). So
//     an output without records does not exist, and this ends the cycles of a crawl.
//   - Size and XXH64 (seed 0) are computed for the report while the bytes are written.
//   - A file is reported after it was closed and is complete.
//
// This package does not sync files. The manager makes outputs durable before it commits them. A
// file made by hand is as durable as one made by cp.
//
// The parts of an output for other machines (Hashed) are named by their content when they are
// closed.
//
// A run that fails calls Discard, which removes what the run created. So its files do not stop a
// user who repeats the command by hand.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/cespare/xxhash/v2"
)

// Stdout is the path that means standard output.
const Stdout = "-"

// A Done is called for each complete part, with its path, number of records, size in bytes, and the
// XXH64 of its bytes. The methods Out and Made of report.Report are of this type.
type Done func(path string, records, size int64, sum uint64)

// Run manages the files that one run of a stage creates. It is safe for concurrent use; its files
// are not.
type Run struct {
	stdout io.Writer

	mu        sync.Mutex
	created   []string // files and folders, in order
	discarded bool
	streams   bool
}

// NewRun returns an empty Run that writes the path "-" to stdout.
func NewRun(stdout io.Writer) *Run { return &Run{stdout: stdout} }

// Create creates the file at path. It returns an error if the file exists; it never overwrites a
// file.
func (r *Run) Create(path string) (*File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.discarded {
		return nil, fmt.Errorf("create output %s: the run has failed", path)
	}
	if path == Stdout {
		r.streams = true
		return &File{path: path, w: r.stdout, sum: xxhash.New()}, nil
	}
	//failpoint:output-created
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("create output %s: it exists already; remove it or choose another name", path)
	}
	if err != nil {
		return nil, fmt.Errorf("create output: %w", err)
	}
	r.created = append(r.created, path)
	return &File{path: path, w: f, file: f, sum: xxhash.New()}, nil
}

// WriteFile creates the file at path with a content of a number of records.
func (r *Run) WriteFile(path string, content []byte, records int64, done Done) error {
	f, err := r.Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	return f.Close(records, done)
}

// Streams reports whether a part was written to standard output, from which Discard cannot remove
// it.
func (r *Run) Streams() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.streams
}

// Discard removes every file that r created, after a failed run. r cannot create files afterwards.
func (r *Run) Discard() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, path := range slices.Backward(r.created) {
		err := os.Remove(path)
		gone := errors.Is(err, fs.ErrNotExist)
		full := errors.Is(err, fs.ErrExist) // a folder that contains other files
		if err != nil && !gone && !full {
			errs = append(errs, err)
		}
	}
	r.created, r.discarded = nil, true
	return errors.Join(errs...)
}
