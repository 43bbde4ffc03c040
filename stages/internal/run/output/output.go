// Package output creates the files of one run of a stage.
//
// An output is named by its first part. Under the manager that is
//
//	DIR/m-TTTTTTTTTTTT-00001.EXT
//
// with the number of the transaction (12 digits) and of the part (5 digits); a stage that
// cuts its output writes DIR/m-TTTTTTTTTTTT-00002.EXT and so on beside it. By hand any
// path will do: x.zst is followed by x-00002.zst, x.warc.gz by x-00002.warc.gz.
// The path "-" is standard output, of which all parts are one stream.
//
// Every file follows three rules:
//
//   - A file is created with its first byte and never overwritten (O_EXCL): an output
//     without a record does not exist, which is how cycles of a crawl end.
//   - Size and XXH64 (seed 0) are counted while the bytes pass, for the report.
//   - A file is reported when it is closed, and whole.
//
// No file is synced here. The manager makes outputs durable before it commits them. A file that was
// made by hand is as durable as one that cp leaves.
//
// An output for other machines (Hashed) is named by its content. Its parts get their names when
// they are closed.
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

// Stdout is the path that stands for standard output.
const Stdout = "-"

// A Done is called with each part that is whole: its path, its records, its size in
// bytes and the XXH64 of its bytes. The methods Out and Made of report.Report are Dones.
type Done func(path string, records, size int64, sum uint64)

// Run is the files that one run of a stage creates. It is safe for use by several
// goroutines; the files it makes are not.
type Run struct {
	stdout io.Writer

	mu        sync.Mutex
	created   []string // files and folders, in order
	discarded bool
	streams   bool
}

// NewRun returns an empty Run that writes the path "-" to stdout.
func NewRun(stdout io.Writer) *Run { return &Run{stdout: stdout} }

// Create creates the file at path. It fails when there is one already: nothing is ever
// overwritten.
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

// Streams reports whether a part was created on standard output. Discard takes nothing back from
// there.
func (r *Run) Streams() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.streams
}

// Discard removes every file created by r, for a run that failed; it creates no more.
func (r *Run) Discard() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, path := range slices.Backward(r.created) {
		err := os.Remove(path)
		gone := errors.Is(err, fs.ErrNotExist)
		full := errors.Is(err, fs.ErrExist) // a folder that holds files of others
		if err != nil && !gone && !full {
			errs = append(errs, err)
		}
	}
	r.created, r.discarded = nil, true
	return errors.Join(errs...)
}
