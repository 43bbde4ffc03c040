package classify

import "github.com/cespare/xxhash/v2"

// MaxTerm is the bytes of the longest term. Longer ones are no words.
const MaxTerm = 255

// A Document is a bag of terms: each with the number of times it occurs. Its zero value is
// empty. It keeps its memory over a Reset, so one Document serves a whole batch of pages, and
// what it holds at most is that of the longest page.
type Document struct {
	terms []counted
	text  []byte
	index index
}

type counted struct {
	hash  uint64
	count uint32
	end   uint32 // of the term in text; it begins where the one before ends
}

// Add counts an occurrence of term. A term that is empty or longer than MaxTerm is left out.
func (d *Document) Add(term []byte) {
	if len(term) == 0 || len(term) > MaxTerm {
		return
	}
	hash := xxhash.Sum64(term)
	at, added := d.index.put(hash, uint32(len(d.terms)))
	if !added {
		d.terms[at].count++
		return
	}
	d.text = append(d.text, term...)
	d.terms = append(d.terms, counted{hash, 1, uint32(len(d.text))})
}

// Reset makes d empty.
func (d *Document) Reset() {
	d.terms, d.text = d.terms[:0], d.text[:0]
	d.index.clear()
}

// Len is the number of different terms.
func (d *Document) Len() int { return len(d.terms) }

// Term gives the i-th of the different terms, in order of their first occurrence, and how
// often it occurs. The bytes are d's own, and change with it.
func (d *Document) Term(i int) (term []byte, count int) {
	start := uint32(0)
	if i > 0 {
		start = d.terms[i-1].end
	}
	return d.text[start:d.terms[i].end], int(d.terms[i].count)
}
