package output

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// File is one part of an output while it is written.
type File struct {
	path string
	w    io.Writer
	file *os.File // nil for standard output
	sum  *xxhash.Digest
	size int64

	rename func(from string, sum uint64) (to string, err error) // nil: the file keeps its path
}

// Path returns the path under which the file was created. After Close it returns the final path.
func (f *File) Path() string { return f.path }

// Size returns the number of bytes written so far.
func (f *File) Size() int64 { return f.size }

// Write appends p. It does not buffer: callers write large pieces.
func (f *File) Write(p []byte) (int, error) {
	//failpoint:output-written
	n, err := f.w.Write(p)
	f.sum.Write(p[:n])
	f.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("write output %s: %w", f.path, err)
	}
	return n, nil
}

// Close closes the file. If the file is part of a Hashed output, Close names it by its content.
// Then it calls done, which may be nil, with the number of records. After an error it does not call
// done.
func (f *File) Close(records int64, done Done) error {
	if f.file != nil {
		//failpoint:output-closed
		if err := f.file.Close(); err != nil {
			return fmt.Errorf("close output %s: %w", f.path, err)
		}
	}
	if f.rename != nil {
		path, err := f.rename(f.path, f.sum.Sum64())
		if err != nil {
			return err
		}
		f.path = path
	}
	if done != nil {
		done(f.path, records, f.size, f.sum.Sum64())
	}
	return nil
}
