package classify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"multitext/classify/internal/index"
)

// maxLabels is the maximum number of labels of a model. maxLabel is the maximum length of a label
// in bytes.
const (
	maxLabels = 4096
	maxLabel  = 255
)

// A Training contains labelled documents for training. Its zero value is empty. A document needs 8
// bytes of memory for each of its different terms.
type Training struct {
	labels []string // without duplicates, in order of arrival
	terms  []string // without duplicates, in order of arrival
	docs   []example
	index  index.Index // hash of a term → its position in terms
}

// An example is a document with its label. Terms and labels are numbers.
type example struct {
	label int
	terms []cell // ascending
}

// A cell is a term with its number of occurrences.
type cell struct{ term, count uint32 }

// Add adds a copy of d as a document of label.
func (t *Training) Add(label string, d *Document) error {
	if label == "" || len(label) > maxLabel {
		return fmt.Errorf("training: a label of %d bytes; it must have 1 to %d", len(label), maxLabel)
	}
	at := slices.Index(t.labels, label)
	if at < 0 {
		if len(t.labels) == maxLabels {
			return fmt.Errorf("training: %q would be label number %d, more than a model has", label, maxLabels+1)
		}
		at = len(t.labels)
		t.labels = append(t.labels, strings.Clone(label))
	}
	e := example{at, make([]cell, d.Len())}
	for i := range e.terms {
		hash, count := d.Hashed(i)
		number, added := t.index.Put(hash, uint32(len(t.terms)))
		if added {
			term, _ := d.Term(i)
			t.terms = append(t.terms, string(term))
		}
		e.terms[i] = cell{number, count}
	}
	t.docs = append(t.docs, e)
	return nil
}

// Keep removes all documents except those for which keep returns true. It numbers documents from 0
// in the order of Add.
func (t *Training) Keep(keep func(doc int) bool) {
	kept := t.docs[:0]
	for i, d := range t.docs {
		if keep(i) {
			kept = append(kept, d)
		}
	}
	t.docs = kept
}

// Len returns the number of documents.
func (t *Training) Len() int { return len(t.docs) }

// Labels returns the labels of the documents, sorted by bytes.
func (t *Training) Labels() []string {
	met := make([]bool, len(t.labels))
	for _, d := range t.docs {
		met[d.label] = true
	}
	var all []string
	for i, label := range t.labels {
		if met[i] {
			all = append(all, label)
		}
	}
	slices.Sort(all)
	return all
}

// Relabelled returns a Training of the documents for which relabel does not return "", with the
// labels that it returns, and the terms that occur in them. Nothing can be added to it.
func (t *Training) Relabelled(relabel func(label string) string) *Training {
	to := new(Training)
	labelAt := make(map[int]int, len(t.labels)) // −1: dropped
	termAt := make([]uint32, len(t.terms))      // plus 1; 0: not met
	for _, d := range t.docs {
		label, met := labelAt[d.label]
		if !met {
			label = to.label(relabel(t.labels[d.label]))
			labelAt[d.label] = label
		}
		if label < 0 {
			continue
		}
		e := example{label, make([]cell, len(d.terms))}
		for i, x := range d.terms {
			if termAt[x.term] == 0 {
				to.terms = append(to.terms, t.terms[x.term])
				termAt[x.term] = uint32(len(to.terms))
			}
			e.terms[i] = cell{termAt[x.term] - 1, x.count}
		}
		to.docs = append(to.docs, e)
	}
	return to
}

// label returns the number of a label, which is added if it is new; −1 for "".
func (t *Training) label(name string) int {
	if name == "" {
		return -1
	}
	at := slices.Index(t.labels, name)
	if at < 0 {
		at = len(t.labels)
		t.labels = append(t.labels, name)
	}
	return at
}

// A corpus contains documents that are ready for training. The order of its labels, terms and
// documents depends only on their content.
type corpus struct {
	labels []string
	terms  []string
	docs   []example
}

// corpus returns the documents as a sorted corpus.
func (t *Training) corpus() *corpus {
	c := &corpus{docs: make([]example, len(t.docs))}
	var labelAt, termAt []uint32
	c.labels, labelAt = sorted(t.labels)
	c.terms, termAt = sorted(t.terms)
	for i, d := range t.docs {
		e := example{int(labelAt[d.label]), make([]cell, len(d.terms))}
		for j, x := range d.terms {
			e.terms[j] = cell{termAt[x.term], x.count}
		}
		slices.SortFunc(e.terms, byTerm)
		c.docs[i] = e
	}
	slices.SortFunc(c.docs, func(a, b example) int {
		return cmp.Or(cmp.Compare(a.label, b.label), slices.CompareFunc(a.terms, b.terms, byTerm))
	})
	return c
}

func byTerm(a, b cell) int {
	return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.count, b.count))
}

// sorted returns words in sorted order, and the new position of each word.
func sorted(words []string) (inOrder []string, at []uint32) {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(words[a], words[b]) })
	inOrder, at = make([]string, len(words)), make([]uint32, len(words))
	for to, from := range order {
		inOrder[to], at[from] = words[from], uint32(to)
	}
	return inOrder, at
}

// only returns c without the terms that are not in keep. keep is ascending.
func (c *corpus) only(keep []int) *corpus {
	const gone = ^uint32(0)
	at := make([]uint32, len(c.terms))
	for i := range at {
		at[i] = gone
	}
	kept := &corpus{labels: c.labels, terms: make([]string, len(keep)), docs: make([]example, len(c.docs))}
	for to, from := range keep {
		kept.terms[to], at[from] = c.terms[from], uint32(to)
	}
	for i, d := range c.docs {
		e := example{label: d.label}
		for _, x := range d.terms {
			if at[x.term] != gone {
				e.terms = append(e.terms, cell{at[x.term], x.count})
			}
		}
		kept.docs[i] = e
	}
	return kept
}
