package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// newSpool makes a file for one batch on this machine's disk, so that what is added is what was
// checked, whatever the peer does meanwhile. The file has no name; it is gone with the process.
func newSpool() (*os.File, error) {
	f, err := os.CreateTemp("", "batch-")
	if err != nil {
		return nil, fmt.Errorf("make room for a batch: %w", err)
	}
	return f, os.Remove(f.Name())
}

// source is a batch as the peer gives it. What is wrong with it is a peerError.
type source struct{ io.Reader }

func (s source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &peerError{err}
	}
	return n, err
}

// fill copies at most limit bytes of src to the spool. It returns their number and their XXH64.
func fill(spool io.Writer, src io.Reader, limit int64) (size int64, sum uint64, err error) {
	hash := xxhash.New()
	//failpoint:batch-copied
	size, err = io.Copy(io.MultiWriter(spool, hash), io.LimitReader(src, limit))
	if err != nil {
		return size, 0, fmt.Errorf("copy batch: %w", err)
	}
	return size, hash.Sum64(), nil
}
