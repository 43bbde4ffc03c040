package urlbatch

// Buffer keeps records in memory: their lines one behind the other, and 16 bytes for each.
// The zero Buffer is empty.
type Buffer struct {
	text  []byte
	spans []span
}

type span struct {
	at       int
	url, end uint32 // from at
}

// Add appends a copy of rec.
func (b *Buffer) Add(rec *Record) {
	b.spans = append(b.spans, span{len(b.text), uint32(rec.url), uint32(len(rec.line))})
	b.text = append(b.text, rec.line...)
}

// Len returns the number of records.
func (b *Buffer) Len() int { return len(b.spans) }

// Size returns the bytes of the records' lines.
func (b *Buffer) Size() int { return len(b.text) }

// Record returns record i, valid until Reset.
func (b *Buffer) Record(i int) Record {
	s := b.spans[i]
	end := s.at + int(s.end)
	return Record{line: b.text[s.at:end:end], url: int(s.url)}
}

// Reset empties b and keeps its memory.
func (b *Buffer) Reset() { b.text, b.spans = b.text[:0], b.spans[:0] }
