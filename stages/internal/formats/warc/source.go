package warc

import "io"

// A source reads a file, and any number of bytes ahead.
type source struct {
	file     io.Reader
	room     []byte
	from, to int   // where in room the bytes lie that are not used yet
	err      error // of the file, behind them
}

// usualRoom is the memory of a source: a gzip header with the longest extra field fits in.
const usualRoom = 128 << 10

// buffered returns the number of bytes that are not used yet.
func (s *source) buffered() int { return s.to - s.from }

// peek returns the next n bytes, valid until the next call. Where the file has fewer it returns
// these and its error.
func (s *source) peek(n int) ([]byte, error) {
	for s.buffered() < n && s.err == nil {
		if s.from+n > len(s.room) {
			s.move(max(n, usualRoom))
		}
		var got int
		got, s.err = s.file.Read(s.room[s.to:])
		s.to += got
	}
	if s.buffered() < n {
		return s.room[s.from:s.to], s.err
	}
	return s.room[s.from : s.from+n], nil
}

// move brings what is not used yet to the front of a room of at least size bytes.
func (s *source) move(size int) {
	room := s.room
	if len(room) < size {
		room = make([]byte, size)
	}
	s.to = copy(room, s.room[s.from:s.to])
	s.from, s.room = 0, room
}

// use drops the next n bytes, which were peeked at. The memory of a long member is not kept for
// those behind it.
func (s *source) use(n int) {
	if s.from += n; len(s.room) > usualRoom && s.buffered() <= usualRoom {
		left := s.room[s.from:s.to]
		s.room = make([]byte, usualRoom)
		s.from, s.to = 0, copy(s.room, left)
	}
}
