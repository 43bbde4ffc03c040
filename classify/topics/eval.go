package topics

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"

	"multitext/classify"
)

// An Evaluation counts how often a model is right about documents whose topics are known: each
// model of an inner topic about the documents of its children, and the whole at each depth.
type Evaluation struct {
	model     *Model
	judgement Judgement
	ranking   classify.Ranking
	nodes     []classify.Confusion // by topic
	levels    []classify.Confusion // by depth
}

// Evaluate returns an empty Evaluation of m.
func (m *Model) Evaluate() *Evaluation {
	deepest := slices.Max(m.Tree.depth)
	return &Evaluation{model: m, nodes: make([]classify.Confusion, m.Tree.Len()),
		levels: make([]classify.Confusion, deepest+1)}
}

// Add classifies d, a document of the topic truth. It counts at the depths down to that of its
// topic.
func (e *Evaluation) Add(truth string, d *classify.Document) error {
	t := e.model.Tree
	topic, ok := t.Find(truth)
	if !ok {
		return fmt.Errorf("a document has the label %q, which is no topic of the tree", truth)
	}
	e.model.Judge(d, &e.judgement)
	for at := topic; at != Root; at = t.parent[at] {
		if parent := t.parent[at]; e.model.at[parent] != nil {
			e.model.at[parent].Classify(d, &e.ranking)
			e.nodes[parent].Add(t.names[at], &e.ranking)
		}
	}
	for depth := 1; depth < len(e.levels); depth++ {
		if above, ok := t.Above(topic, depth); ok || t.Leaf(topic) {
			e.judgement.rank(&e.ranking, depth)
			e.levels[depth].Add(t.names[above], &e.ranking)
		}
	}
	return nil
}

// Node returns the confusion of the model at a topic: of the documents of its children.
func (e *Evaluation) Node(topic int) *classify.Confusion { return &e.nodes[topic] }

// Level returns the confusion of the topics at a depth, from 1, with the leaves above it.
func (e *Evaluation) Level(depth int) *classify.Confusion { return &e.levels[depth] }

// Leaves returns the confusion of the leaves: the last level.
func (e *Evaluation) Leaves() *classify.Confusion { return &e.levels[len(e.levels)-1] }

// rank ranks the topics at a depth and the leaves above it.
func (j *Judgement) rank(r *classify.Ranking, depth int) {
	r.Topics = r.Topics[:0]
	j.tree.cut(depth, func(topic int) {
		r.Topics = append(r.Topics, classify.Topic{Label: j.tree.names[topic], Score: j.Log[topic],
			Confidence: j.Probability(topic)})
	})
	slices.SortStableFunc(r.Topics, func(a, b classify.Topic) int { return cmp.Compare(b.Score, a.Score) })
}

// Print writes a line for the model of each inner topic and for each depth at which there are
// siblings: how many documents counted, which share was assigned its own topic, the error of the
// confidence, and Brier's score.
func (e *Evaluation) Print(w io.Writer) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%-32s %9s %9s %12s %7s\n", "among the children of", "documents", "accuracy", "off by", "Brier")
	for topic := range e.nodes {
		if e.model.at[topic] != nil {
			e.line(&b, title(e.model.Tree, topic), &e.nodes[topic])
		}
	}
	fmt.Fprintf(&b, "%-32s\n", "in the whole tree")
	for depth := 1; depth < len(e.levels); depth++ {
		if !e.model.dividesAt(depth - 1) {
			continue // all topics there are only children
		}
		e.line(&b, fmt.Sprintf("at depth %d", depth), &e.levels[depth])
	}
	_, err := b.WriteTo(w)
	return err
}

func (e *Evaluation) line(b *bytes.Buffer, of string, c *classify.Confusion) {
	s := c.Summary()
	fmt.Fprintf(b, "  %-30s %9d %8.1f%% %11.1f%% %7.3f\n", of, s.Documents, 100*s.Overall, 100*s.Error, s.Brier)
}
