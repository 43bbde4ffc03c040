package exchange

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"
)

// spoolMemory is how many bytes of an answer are kept in memory.
const spoolMemory = 256 << 10

// A Spool keeps the bytes of a body, behind those of its head: up to spoolMemory of them, the last,
// in memory, those before in a file of the temporary directory (TMPDIR). The file is removed as
// soon as it is open, so that no end of the process leaves it behind, and written in few pieces,
// however many the body came in. The zero Spool is empty and ready.
type Spool struct {
	file   *os.File // nil as long as memory holds all
	memory []byte
	size   int64 // with the head
	head   int64
	pool   *sync.Pool // of *[]byte: the memory of spools that were closed; nil: none
	// apart calls what writes to the disk; nil: it is called as it is.
	apart func(write func() error) error
}

// A spoolError is a failure to keep what came. It is not the server's, and ends the run.
type spoolError struct{ err error }

func (e *spoolError) Error() string { return "spool body: " + e.err.Error() }
func (e *spoolError) Unwrap() error { return e.err }

// begin puts the head, which is not of the body, into an empty spool.
func (s *Spool) begin(head []byte) error {
	if s.pool != nil {
		if used, ok := s.pool.Get().(*[]byte); ok {
			s.memory = (*used)[:0]
		}
	}
	_, err := s.Write(head)
	s.head = s.size
	return err
}

// Write appends p. An error is one of the local disk, not of the server.
func (s *Spool) Write(p []byte) (n int, err error) {
	for n < len(p) {
		space, err := s.space(int64(len(p) - n))
		if err != nil {
			return n, err
		}
		k := copy(space, p[n:])
		s.take(k)
		n += k
	}
	return n, nil
}

// leastMemory is what the first bytes take, unless expect says that more come.
const leastMemory = 4 << 10

// space returns memory for some of the next most bytes. Those that are put there, from its
// beginning, take makes part of the spool.
func (s *Spool) space(most int64) ([]byte, error) {
	if len(s.memory) == spoolMemory {
		if err := s.flush(); err != nil {
			return nil, err
		}
	}
	if len(s.memory) == cap(s.memory) {
		s.grow(max(2*len(s.memory), leastMemory))
	}
	free := s.memory[len(s.memory):cap(s.memory)]
	return free[:min(int64(len(free)), most)], nil
}

func (s *Spool) take(n int) {
	s.memory = s.memory[:len(s.memory)+n]
	s.size += int64(n)
}

// expect makes ready for n bytes more, as far as they stay in memory.
func (s *Spool) expect(n int64) {
	s.grow(len(s.memory) + int(min(n, spoolMemory)))
}

// grow makes the memory as large as size and spoolMemory allow; slices.Grow would make it larger.
func (s *Spool) grow(size int) {
	if size = min(size, spoolMemory); size > cap(s.memory) {
		s.memory = append(make([]byte, 0, size), s.memory...)
	}
}

// flush moves what is in memory to the file.
func (s *Spool) flush() error {
	if s.apart == nil {
		return s.toFile()
	}
	return s.apart(s.toFile)
}

func (s *Spool) toFile() error {
	if s.file == nil {
		if err := s.open(); err != nil {
			return err
		}
	}
	if _, err := s.file.Write(s.memory); err != nil {
		return &spoolError{err}
	}
	s.memory = s.memory[:0]
	return nil
}

func (s *Spool) open() error {
	f, err := os.CreateTemp("", "body-*")
	if err != nil {
		return &spoolError{err}
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return &spoolError{err}
	}
	s.file = f
	return nil
}

// Len is the number of bytes of the body.
func (s *Spool) Len() int64 { return s.size - s.head }

// Reader returns a new reader of the body from its first byte. It is valid until the next Write, or
// Close.
func (s *Spool) Reader() io.Reader {
	if s.file == nil {
		return bytes.NewReader(s.memory[s.head:])
	}
	filed := s.size - int64(len(s.memory))
	first := io.NewSectionReader(s.file, s.head, filed-s.head)
	return io.MultiReader(first, bytes.NewReader(s.memory))
}

// all returns head and body in one piece, valid until the next Write, or Close.
func (s *Spool) all() ([]byte, error) {
	if s.file == nil {
		return s.memory, nil
	}
	all := make([]byte, s.size)
	filed := len(all) - len(s.memory)
	if _, err := s.file.ReadAt(all[:filed], 0); err != nil {
		return nil, fmt.Errorf("read a spooled body: %w", err)
	}
	copy(all[filed:], s.memory)
	return all, nil
}

// Close frees what the bytes take.
func (s *Spool) Close() error {
	if s.pool != nil && s.memory != nil {
		memory := s.memory
		s.pool.Put(&memory)
	}
	s.memory, s.size, s.head = nil, 0, 0
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	return f.Close()
}
