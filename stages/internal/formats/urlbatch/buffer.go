package urlbatch

import "multitext/stages/internal/web/canon"

// pageSize is the size of a Buffer's pages: room for many lines, so that little is left over at
// the end of each.
const pageSize = 1 << 20

// Buffer keeps records in memory: their lines in pages, which never move, and 16 bytes for
// each. The zero Buffer is empty.
type Buffer struct {
	pages [][]byte
	used  int // pages that hold lines
	spans []span
	size  int
}

// span is where a record's line is.
type span struct {
	page, at uint32
	url, end uint32 // from at
}

// Add appends a copy of rec.
func (b *Buffer) Add(rec *Record) {
	page := b.page(len(rec.line))
	at := len(b.pages[page])
	b.pages[page] = append(b.pages[page], rec.line...)
	b.spans = append(b.spans, span{uint32(page), uint32(at), uint32(rec.url), uint32(len(rec.line))})
	b.size += len(rec.line)
}

// page returns a page with room for n bytes.
func (b *Buffer) page(n int) int {
	if last := b.used - 1; last >= 0 && cap(b.pages[last])-len(b.pages[last]) >= n {
		return last
	}
	if b.used == len(b.pages) {
		b.pages = append(b.pages, make([]byte, 0, max(pageSize, n)))
	}
	b.used++
	return b.used - 1
}

// Len returns the number of records.
func (b *Buffer) Len() int { return len(b.spans) }

// Size returns the bytes of the records' lines.
func (b *Buffer) Size() int { return b.size }

// Record returns record i, valid until Reset.
func (b *Buffer) Record(i int) Record {
	s := b.spans[i]
	return Record{line: b.pages[s.page][s.at : s.at+s.end], url: int(s.url)}
}

// Hosts returns the host (name and port) of each record as a number, and how many hosts there are.
// They are numbered in the order in which they occur.
func (b *Buffer) Hosts() (host []int32, hosts int) {
	index := map[string]int32{}
	host = make([]int32, b.Len())
	for i := range host {
		rec := b.Record(i)
		name := canon.Host(rec.URLBytes())
		h, ok := index[string(name)]
		if !ok {
			h = int32(len(index))
			index[string(name)] = h
		}
		host[i] = h
	}
	return host, len(index)
}

// Reset empties b and keeps its memory.
func (b *Buffer) Reset() {
	for i := range b.pages {
		b.pages[i] = b.pages[i][:0]
	}
	b.used, b.size, b.spans = 0, 0, b.spans[:0]
}
