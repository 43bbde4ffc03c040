package terms

import (
	"iter"

	"multitext/classify/internal/index"
)

// A Document is the bag of a page's terms: each term with its number of occurrences. All
// classifiers and language identifiers use it, so a page is split once, and a term is hashed once.
// Its zero value is empty. A Document that is used again keeps its memory, so one Document is
// enough for a whole batch of pages. Its memory is at most that of the longest page.
type Document struct {
	terms []counted
	text  []byte
	total int
	index index.Index
}

type counted struct {
	hash  uint64
	count uint32
	end   uint32 // the end of the term in text; it begins at the end of the previous term
}

// Read replaces the content of d by these terms.
func (d *Document) Read(terms iter.Seq[[]byte]) {
	d.Reset()
	for term := range terms {
		d.Add(term)
	}
}

// Add counts an occurrence of term. It ignores a term that is empty or longer than Longest.
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

// Len returns the number of different terms. Total returns the number of all their occurrences.
func (d *Document) Len() int   { return len(d.terms) }
func (d *Document) Total() int { return d.total }

// Term returns the i-th of the different terms, in order of their first occurrence, and its number
// of occurrences. The bytes belong to d, and change with it.
func (d *Document) Term(i int) (term []byte, count int) {
	start := uint32(0)
	if i > 0 {
		start = d.terms[i-1].end
	}
	return d.text[start:d.terms[i].end], int(d.terms[i].count)
}

// Hashed returns the hash of the i-th of the different terms, and its number of occurrences.
func (d *Document) Hashed(i int) (hash uint64, count uint32) {
	return d.terms[i].hash, d.terms[i].count
}
