package topics

import (
	"cmp"
	"slices"
)

// Examples adds up judgements of documents that a user wants, to propose good topics. Its zero
// value is empty.
type Examples struct {
	tree *Tree
	sum  []float64 // by topic: the sum of Pr(c|d)
	n    int
}

// Add adds a document.
func (e *Examples) Add(j *Judgement) {
	if e.n++; e.tree == nil {
		e.tree, e.sum = j.tree, make([]float64, j.tree.Len())
	}
	for topic := range e.sum {
		e.sum[topic] += j.Probability(topic)
	}
}

// Len returns the number of documents.
func (e *Examples) Len() int { return e.n }

// Mean returns the mean of Pr(c|d) over the examples.
func (e *Examples) Mean(topic int) float64 { return e.sum[topic] / float64(e.n) }

// Propose returns the good topics, ascending: the fewest leaves whose mean probabilities add up to
// share, of which a topic stands for all that are below it, if they are all its leaves.
func (e *Examples) Propose(share float64) (good []int) {
	if e.n == 0 {
		return nil
	}
	var leaves []int
	for topic := 1; topic < e.tree.Len(); topic++ {
		if e.tree.Leaf(topic) {
			leaves = append(leaves, topic)
		}
	}
	slices.SortStableFunc(leaves, func(a, b int) int { return cmp.Compare(e.sum[b], e.sum[a]) })
	holds, chosen := 0.0, make([]bool, e.tree.Len())
	for _, leaf := range leaves {
		if holds >= share {
			break
		}
		holds += e.Mean(leaf)
		chosen[leaf] = true
	}
	for topic := e.tree.Len() - 1; topic > Root; topic-- { // children before their parent
		if !e.tree.Leaf(topic) {
			chosen[topic] = !slices.ContainsFunc(e.tree.Children(topic), func(child int) bool { return !chosen[child] })
		}
	}
	for topic := 1; topic < e.tree.Len(); topic++ {
		if chosen[topic] && !chosen[e.tree.parent[topic]] {
			good = append(good, topic)
		}
	}
	return good
}
