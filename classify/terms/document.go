package terms

import (
	"iter"

	"multitext/classify/internal/index"
)

// A Document is the bag of a page's terms: each with the number of times it occurs. All that judges
// pages judges this, so that a page is split once, and a term hashed once. Its zero value is empty.
// It keeps its memory when it is used again, so one Document serves a whole batch of pages, and
// what it holds at most is that of the longest page.
type Document struct {
	terms []counted
	text  []byte
	total int
	index index.Index
}

type counted struct {
	hash  uint64
	count uint32
	end   uint32 // of the term in text; it begins where the one before ends
}

// Read makes d the document of these terms.
func (d *Document) Read(terms iter.Seq[[]byte]) {
	d.Reset()
	for term := range terms {
		d.Add(term)
	}
}

// Add counts an occurrence of term. A term that is empty or longer than Longest is left out.
func (d *Document) Add(term []byte) {
	if len(term) == 0 || len(term) > Longest {
		return
	}
	d.total++
	hash := Hash(term)
	at, added := d.index.Put(hash, uint32(len(d.terms)))
	if !added {
		d.terms[at].count++
		return
	}
	d.text = append(d.text, term...)
	d.terms = append(d.terms, counted{hash, 1, uint32(len(d.text))})
}

// Reset makes d empty.
func (d *Document) Reset() {
	d.terms, d.text, d.total = d.terms[:0], d.text[:0], 0
	d.index.Clear()
}

// Len is the number of different terms, Total that of all their occurrences.
func (d *Document) Len() int   { return len(d.terms) }
func (d *Document) Total() int { return d.total }

// Term gives the i-th of the different terms, in order of their first occurrence, and how
// often it occurs. The bytes are d's own, and change with it.
func (d *Document) Term(i int) (term []byte, count int) {
	start := uint32(0)
	if i > 0 {
		start = d.terms[i-1].end
	}
	return d.text[start:d.terms[i].end], int(d.terms[i].count)
}

// Hashed gives the hash of the i-th of the different terms, and how often it occurs.
func (d *Document) Hashed(i int) (hash uint64, count uint32) {
	return d.terms[i].hash, d.terms[i].count
}
