package topics

import (
	"math"
	"slices"

	"multitext/classify"
)

// A Judgement is what a model says of a document. Its zero value is ready to use. Reusing a
// Judgement reuses its memory.
type Judgement struct {
	Log []float64 // by topic: the natural logarithm of Pr(c|d); 0 for the root

	tree    *Tree
	ranking classify.Ranking
	logs    []float64
}

// Judge computes the probabilities of all topics for d.
func (m *Model) Judge(d *classify.Document, j *Judgement) {
	n := m.Tree.Len()
	j.tree, j.Log = m.Tree, slices.Grow(j.Log[:0], n)[:n]
	j.Log[Root] = 0
	for topic, at := range m.at {
		j.logs = append(j.logs[:0], 0) // of an only child
		if at != nil {
			at.Classify(d, &j.ranking)
			j.logs = j.ranking.Logs(j.logs[:0])
		}
		for n, child := 0, topic+1; child < m.Tree.end[topic]; n, child = n+1, m.Tree.end[child] {
			j.Log[child] = j.Log[topic] + j.logs[n] // Pr(c|d) = Pr(parent|d) · Pr(c|d, parent)
		}
	}
}

// Probability returns Pr(c|d) of a topic.
func (j *Judgement) Probability(topic int) float64 { return math.Exp(j.Log[topic]) }

// Best returns the most probable leaf, the first of several.
func (j *Judgement) Best() (leaf int) {
	for topic := 1; topic < j.tree.Len(); topic++ {
		if j.tree.Leaf(topic) && (leaf == Root || j.Log[topic] > j.Log[leaf]) {
			leaf = topic
		}
	}
	return leaf
}

// Relevance returns R(d), from 0 to 1. good is by Tree.Good.
func (j *Judgement) Relevance(good []int) (r float64) {
	for _, topic := range good {
		r += j.Probability(topic)
	}
	return min(r, 1) // the sum may be 1 + a rounding error
}

// Wanted reports whether the best leaf is a good topic or below one: then a crawler with a hard
// focus follows the document's links.
func (j *Judgement) Wanted(good []int) bool {
	best := j.Best()
	for _, topic := range good {
		if j.tree.In(best, topic) {
			return true
		}
	}
	return false
}

// cut calls do with the topics at a depth and the leaves above them: of these one is right.
func (t *Tree) cut(depth int, do func(topic int)) {
	for topic := 1; topic < t.Len(); topic++ {
		if t.depth[topic] == depth || t.depth[topic] < depth && t.Leaf(topic) {
			do(topic)
		}
	}
}
