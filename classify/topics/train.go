package topics

import (
	"errors"
	"fmt"
	"slices"

	"multitext/classify"
)

// A Model computes the probabilities of the topics of its Tree. It never changes, so any number of
// goroutines may use it at once.
type Model struct {
	Tree *Tree

	at []*classify.Model // by topic; nil for a leaf, and for a topic with one child
}

// Train trains a model at each inner topic of tree on t, whose labels are names of topics.
func Train(t *classify.Training, tree *Tree, o classify.Options) (*Model, error) {
	taught := make([]bool, tree.Len()) // the topic, or one below it, has a document
	for _, label := range t.Labels() {
		topic, ok := tree.Find(label)
		if !ok {
			return nil, fmt.Errorf("train: documents have the label %q, which is no topic of the tree", label)
		}
		for ; topic != Root; topic = tree.parent[topic] {
			taught[topic] = true
		}
	}
	for topic := 1; topic < tree.Len(); topic++ {
		if tree.Leaf(topic) && !taught[topic] {
			return nil, fmt.Errorf("train: the topic %q has no document: leave it out of the tree, or find some",
				tree.names[topic])
		}
	}
	m := &Model{tree, make([]*classify.Model, tree.Len())}
	for topic := range m.at {
		if err := m.train(t, topic, o); err != nil {
			return nil, fmt.Errorf("train the topic %q: %w", tree.names[topic], err)
		}
	}
	return m, nil
}

// train trains the model at a topic. The label of a document is the child that it belongs to.
func (m *Model) train(t *classify.Training, topic int, o classify.Options) (err error) {
	if !m.divides(topic) {
		return nil
	}
	m.at[topic], err = classify.Train(t.Relabelled(func(label string) string {
		of, _ := m.Tree.Find(label)
		if child, ok := m.Tree.Above(of, m.Tree.depth[topic]+1); ok && m.Tree.parent[child] == topic {
			return m.Tree.names[child]
		}
		return "" // left out: the document is not below the topic
	}), o)
	return err
}

// divides reports whether a topic needs a model: it has two children or more.
func (m *Model) divides(topic int) bool { return len(m.Tree.Children(topic)) > 1 }

// dividesAt reports whether a topic at a depth has a model.
func (m *Model) dividesAt(depth int) bool {
	for topic, at := range m.at {
		if at != nil && m.Tree.depth[topic] == depth {
			return true
		}
	}
	return false
}

// Models returns the number of the models of inner topics, and of their terms together.
func (m *Model) Models() (models, terms int) {
	for _, at := range m.at {
		if at != nil {
			models, terms = models+1, terms+at.Terms()
		}
	}
	return models, terms
}

// check checks that a model divides a topic among its children.
func (m *Model) check(topic int) error {
	var children []string
	for _, child := range m.Tree.Children(topic) {
		children = append(children, m.Tree.names[child])
	}
	if !slices.Equal(children, m.at[topic].Labels()) {
		return errors.New("its labels are not the topics directly below it")
	}
	return nil
}
