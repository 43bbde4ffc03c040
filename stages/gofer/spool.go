package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// newSpool creates a temporary file for one batch. So the bytes that are added are the bytes that
// were checked, whatever the peer does meanwhile. The file has no name and disappears when the
// process ends.
func newSpool() (*os.File, error) {
	f, err := os.CreateTemp("", "batch-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file for a batch: %w", err)
	}
	return f, os.Remove(f.Name())
}

// source reads a batch from a peer. Its errors are peerErrors.
type source struct{ io.Reader }

func (s source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &peerError{err}
	}
	return n, err
}

// fill copies at most limit bytes of src to the spool. It returns the number and the XXH64 of the
// copied bytes.
func fill(spool io.Writer, src io.Reader, limit int64) (size int64, sum uint64, err error) {
	hash := xxhash.New()
	//failpoint:batch-copied
	size, err = io.Copy(io.MultiWriter(spool, hash), io.LimitReader(src, limit))
	if err != nil {
		return size, 0, fmt.Errorf("copy batch: %w", err)
	}
	return size, hash.Sum64(), nil
}
