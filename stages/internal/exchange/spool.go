package exchange

import (
	"bytes"
	"fmt"
	"io"
	"os"
)

// spoolMemory is how many bytes of a body are kept in memory.
const spoolMemory = 256 << 10

// A Spool keeps the bytes of a body: up to spoolMemory of them, the last, in memory, those before in a file of
// the temporary directory (TMPDIR). The file is removed as soon as it is open, so that no end
// of the process leaves it behind, and written in few pieces, however many the body came in. The zero
// Spool is empty and ready.
type Spool struct {
	file   *os.File // nil as long as memory holds all
	memory []byte
	size   int64
}

// Write appends p. An error is one of the local disk, not of the server.
func (s *Spool) Write(p []byte) (n int, err error) {
	for n < len(p) {
		if len(s.memory) == spoolMemory {
			if err := s.flush(); err != nil {
				return n, err
			}
		}
		piece := p[n:min(len(p), n+spoolMemory-len(s.memory))]
		s.memory = append(s.memory, piece...)
		n += len(piece)
		s.size += int64(len(piece))
	}
	return n, nil
}

// flush moves what is in memory to the file.
func (s *Spool) flush() error {
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	if _, err := s.file.Write(s.memory); err != nil {
		return fmt.Errorf("spool body: %w", err)
	}
	s.memory = s.memory[:0]
	return nil
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

// Reader returns a new reader of all bytes from the first. It is valid until the next Write, or Close.
func (s *Spool) Reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.memory)
	}
	first := io.NewSectionReader(s.file, 0, s.size-int64(len(s.memory)))
	return io.MultiReader(first, bytes.NewReader(s.memory))
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
