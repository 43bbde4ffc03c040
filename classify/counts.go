package classify

// counts is the training data of the generative methods: how often each term occurs under each
// label. The thesis stores the same two numbers for each term (4.2.1, "Category characterization").
type counts struct {
	documents []int // number of documents of each label
	occur     table // occurrences of term t under label c
	contain   table // documents of label c that contain term t
}

// A table contains a row for each term. A row contains a number for each label.
type table struct {
	labels int
	cells  []float64
}

func newTable(terms, labels int) table {
	return table{labels, make([]float64, terms*labels)}
}

// row returns the row of term t. Writing to the row changes the table.
func (t table) row(term int) []float64 { return t.cells[term*t.labels:][:t.labels:t.labels] }

// sums returns the sum of all rows: a number for each label.
func (t table) sums() []float64 {
	all := make([]float64, t.labels)
	for i, x := range t.cells {
		all[i%t.labels] += x
	}
	return all
}

// count computes the counts of c in one pass over its documents.
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
