package main

import (
	"fmt"
	"io"
	"os"

	"github.com/cespare/xxhash/v2"
)

// A spool holds one batch at a time on this machine's disk, so that what is added is what was checked,
// whatever the peer does meanwhile. Its file has no name; it is gone with the process.
type spool struct {
	file   *os.File
	filled bool
}

func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "batch-")
	if err != nil {
		return nil, fmt.Errorf("make room for a batch: %w", err)
	}
	return &spool{file: f}, os.Remove(f.Name())
}

func (s *spool) close() error { return s.file.Close() }

// A sourceError is one of the reading side of a copy: the peer's, and not ours.
type sourceError struct{ err error }

func (e *sourceError) Error() string { return e.err.Error() }
func (e *sourceError) Unwrap() error { return e.err }

type source struct{ io.Reader }

func (s source) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &sourceError{err}
	}
	return n, err
}

// fill takes in at most limit bytes of src, and gives their number and their XXH64. What is wrong with
// src is a sourceError.
func (s *spool) fill(src io.Reader, limit int64) (size int64, sum uint64, err error) {
	if _, err := s.rewind(); err != nil {
		return 0, 0, err
	}
	if err := s.empty(); err != nil {
		return 0, 0, err
	}
	s.filled = true
	h := xxhash.New()
	size, err = io.Copy(io.MultiWriter(s.file, h), io.LimitReader(source{src}, limit))
	if err != nil {
		return size, 0, fmt.Errorf("copy batch: %w", err)
	}
	return size, h.Sum64(), nil
}

// empty gives the room of what was filled in back.
func (s *spool) empty() error {
	if !s.filled {
		return nil
	}
	if err := s.file.Truncate(0); err != nil {
		return fmt.Errorf("make room for a batch: %w", err)
	}
	s.filled = false
	return nil
}

// rewind gives what was filled in from its beginning.
func (s *spool) rewind() (io.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, fmt.Errorf("read batch: %w", err)
	}
	return s.file, nil
}
