package exchange

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how many bytes of a body are kept in memory.
const spoolMemory = 256 << 10

// A Spool keeps the bytes of a body: the first in memory, the rest in a file of the
// temporary directory (TMPDIR). The file is removed as soon as it is open, so that no end
// of the process leaves it behind. The zero Spool is empty and ready.
type Spool struct {
	memory []byte
	file   *os.File
	size   int64
}

// Write appends p. An error is one of the local disk, not of the server.
func (s *Spool) Write(p []byte) (int, error) {
	room := min(spoolMemory-len(s.memory), len(p))
	s.memory = append(s.memory, p[:room]...)
	s.size += int64(room)
	if room == len(p) {
		return room, nil
	}
	if s.file == nil {
		if err := s.open(); err != nil {
			return room, err
		}
	}
	n, err := s.file.Write(p[room:])
	s.size += int64(n)
	if err != nil {
		err = fmt.Errorf("spool body: %w", err)
	}
	return room + n, err
}

func (s *Spool) open() error {
	f, err := os.CreateTemp("", "body-*")
	if err != nil {
		return fmt.Errorf("spool body: %w", err)
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return fmt.Errorf("spool body: %w", err)
	}
	s.file = f
	return nil
}

// Len is the number of bytes kept.
func (s *Spool) Len() int64 { return s.size }

// Reader returns a new reader of all bytes from the first. It is valid until Close.
func (s *Spool) Reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.memory)
	}
	rest := io.NewSectionReader(s.file, 0, s.size-int64(len(s.memory)))
	return io.MultiReader(bytes.NewReader(s.memory), rest)
}

// Close frees what the bytes take.
func (s *Spool) Close() error {
	s.memory, s.size = nil, 0
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}
