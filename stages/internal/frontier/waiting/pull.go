package waiting

import (
	"bytes"
	"fmt"
)

// pull takes the first n URLs out of a queue and has emit take each, the whole line of its record.
func (s *State) pull(r *row, q *queue, n uint64, emit func(line []byte) error) error {
	end := q.head + n
	take := func(c *chunk) error {
		if c.first() > q.head {
			return fmt.Errorf("state of the frontier: URL %d of host %s in band %d is missing", q.head, r.name, q.band)
		}
		return s.takeOut(r, q, c, end, emit)
	}
	if err := s.eachChunk(r, q, end, take); err != nil {
		return err
	}
	for i := range q.fresh {
		if c := &q.fresh[i]; q.head < end && c.last >= q.head {
			if err := take(c); err != nil {
				return err
			}
		}
	}
	if q.head != end {
		return fmt.Errorf("state of the frontier: host %s has no URLs behind %d in band %d, and should have %d",
			r.name, q.head, q.band, end)
	}
	s.meta.taken += n
	return nil
}

// eachChunk calls take with the chunks of the committed state that hold URLs of a queue from its
// head on, as long as that is below end.
func (s *State) eachChunk(r *row, q *queue, end uint64, take func(*chunk) error) error {
	if err := s.chunks.Seek(chunkKey(r.host, q.band, q.head)); err != nil {
		return err
	}
	for q.head < end {
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

// takeOut emits the URLs of c from the queue's head on and below end, and moves the head.
func (s *State) takeOut(r *row, q *queue, c *chunk, end uint64, emit func(line []byte) error) error {
	text, err := s.pack.text(c)
	if err != nil {
		return fmt.Errorf("state of the frontier: host %s, band %d, URL %d: %w", r.name, q.band, c.last, err)
	}
	for at := c.first(); at <= c.last && q.head < end; at++ {
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
