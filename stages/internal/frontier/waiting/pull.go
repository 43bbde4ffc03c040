package waiting

import (
	"bytes"
	"fmt"
)

// pull takes the first URLs out of a queue, at most so many, and has emit take each, the whole line
// of its record. It returns how many there were: what is stale is passed over.
func (s *State) pull(r *row, q *queue, most uint64, emit func(line []byte) error) (n uint64, err error) {
	err = s.walk(r, q, func() bool { return n < most && q.head < q.tail }, func(line []byte) error {
		if leaves, err := s.leaves(r, q, line); err != nil || !leaves {
			return err
		}
		n++
		return emit(line)
	})
	s.meta.taken += n
	return n, err
}

// walk has emit take the URLs of a queue from its head on, as long as more are wanted, and moves the
// head. The head is at the URL when emit has it.
func (s *State) walk(r *row, q *queue, more func() bool, emit func(line []byte) error) error {
	take := func(c *chunk) error {
		if c.first() > q.head {
			return fmt.Errorf("state of the frontier: URL %d of host %s in band %d is missing", q.head, r.name, q.band)
		}
		return s.takeOut(r, q, c, more, emit)
	}
	if err := s.eachChunk(r, q, more, take); err != nil {
		return err
	}
	for i := range q.fresh {
		if c := &q.fresh[i]; more() && c.last >= q.head {
			if err := take(c); err != nil {
				return err
			}
		}
	}
	if more() {
		return fmt.Errorf("state of the frontier: host %s has no URLs behind %d in band %d, and should have %d",
			r.name, q.head, q.band, q.tail)
	}
	return nil
}

// eachChunk calls take with the chunks of the committed state that hold URLs of a queue from its
// head on, as long as more are wanted.
func (s *State) eachChunk(r *row, q *queue, more func() bool, take func(*chunk) error) error {
	if err := s.chunks.Seek(chunkKey(r.host, q.band, q.head)); err != nil {
		return err
	}
	for more() {
		key, value, ok, err := s.chunks.Next()
		if err != nil {
			return err
		}
		host, band, last, isChunk := isChunk(key)
		if !ok || !isChunk || host != r.host || band != q.band {
			return nil
		}
		c, err := parseChunk(last, value)
		if err != nil {
			return fmt.Errorf("state of the frontier: host %s, band %d, URL %d: %w", r.name, band, last, err)
		}
		before := q.head
		if err := take(&c); err != nil {
			return err
		}
		s.meta.gone += (q.head - before) * uint64(len(value)) / c.n
	}
	return nil
}

// takeOut emits the URLs of c from the queue's head on, as long as more are wanted, and moves the head.
func (s *State) takeOut(r *row, q *queue, c *chunk, more func() bool, emit func(line []byte) error) error {
	text, err := s.pack.text(c)
	if err != nil {
		return fmt.Errorf("state of the frontier: host %s, band %d, URL %d: %w", r.name, q.band, c.last, err)
	}
	for at := c.first(); at <= c.last && more(); at++ {
		line, rest, ok := bytes.Cut(text, []byte{'\n'})
		if !ok {
			return fmt.Errorf("state of the frontier: host %s, band %d, URL %d: %w", r.name, q.band, at, errChunk)
		}
		text = rest
		if at < q.head {
			continue
		}
		s.line = longLine(s.line[:0], r.name, line)
		if err := emit(s.line); err != nil {
			return err
		}
		q.head++
	}
	return nil
}
