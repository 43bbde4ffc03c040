package classify

// counts is what the generative methods learn: how often each term occurs under each label.
// The thesis keeps the same two numbers for each term (4.2.1, "Category characterization").
type counts struct {
	documents []int // of each label
	occur     table // of term t under label c: its occurrences
	contain   table // of term t under label c: the documents that have it
}

// A table has a row of numbers, one for each label, for each term.
type table struct {
	labels int
	cells  []float64
}

func newTable(terms, labels int) table {
	return table{labels, make([]float64, terms*labels)}
}

// row is term t's; writing to it writes to the table.
func (t table) row(term int) []float64 { return t.cells[term*t.labels:][:t.labels:t.labels] }

// sums adds up the rows: a number for each label.
func (t table) sums() []float64 {
	all := make([]float64, t.labels)
	for i, x := range t.cells {
		all[i%t.labels] += x
	}
	return all
}

// count goes once over the documents of c.
func (c *corpus) count() *counts {
	n := &counts{
		documents: make([]int, len(c.labels)),
		occur:     newTable(len(c.terms), len(c.labels)),
		contain:   newTable(len(c.terms), len(c.labels)),
	}
	for _, d := range c.docs {
		n.documents[d.label]++
		for _, x := range d.terms {
			n.occur.row(int(x.term))[d.label] += float64(x.count)
			n.contain.row(int(x.term))[d.label]++
		}
	}
	return n
}

func sum(xs []float64) float64 {
	total := 0.0
	for _, x := range xs {
		total += x
	}
	return total
}
