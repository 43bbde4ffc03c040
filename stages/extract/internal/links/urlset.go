package links

import (
	"bytes"
	"hash/maphash"
	"math/bits"
)

// A urlSet is the URLs of one page: a table with open addressing, which costs less to empty than a map does. Its
// zero value must be reset. The seed is this process's own: no page can be made whose URLs fall together.
type urlSet struct {
	seed  maphash.Seed
	table []uint32 // places in urls, from 1; 0 is free. Its length is a power of two.
	urls  [][]byte
}

// reset empties the set and makes room for n URLs.
func (s *urlSet) reset(n int) {
	if s.table == nil {
		s.seed = maphash.MakeSeed()
	}
	size := 1 << bits.Len(uint(2*n))
	if size > cap(s.table) {
		s.table = make([]uint32, size)
	}
	s.table = s.table[:size]
	clear(s.table)
	clear(s.urls)
	s.urls = s.urls[:0]
}

// find gives the place of url in the table, or the free one where it belongs.
func (s *urlSet) find(url []byte) (place int, ok bool) {
	mask := len(s.table) - 1
	for i := int(maphash.Bytes(s.seed, url)) & mask; ; i = (i + 1) & mask {
		n := s.table[i]
		if n == 0 {
			return i, false
		}
		if bytes.Equal(s.urls[n-1], url) {
			return i, true
		}
	}
}

// put adds url, which find has given a free place, and keeps it.
func (s *urlSet) put(place int, url []byte) {
	s.urls = append(s.urls, url)
	s.table[place] = uint32(len(s.urls))
}
