package topics

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"multitext/classify"
)

// The limits of a tree.
const (
	maxTopics = 4096
	maxDepth  = 16
	maxName   = 255
)

// Root is the number of the root.
const Root = 0

// A Tree is a tree of topics. It never changes. The methods take numbers of topics; see the package
// comment.
type Tree struct {
	names  []string // that of the root is ""
	number map[string]int
	parent []int // that of the root is the root
	end    []int // the number after those of the topics below
	depth  []int // levels below the root
}

// New returns the tree in which each key of parents is a topic, and its value the topic above it. A
// topic that is no key, or has the value "", is below the root.
func New(parents map[string]string) (*Tree, error) {
	below := map[string][]string{}
	for _, child := range slices.Sorted(maps.Keys(parents)) {
		parent := parents[child]
		if _, known := parents[parent]; !known && parent != "" && !slices.Contains(below[""], parent) {
			below[""] = append(below[""], parent)
		}
		below[parent] = append(below[parent], child)
	}
	t := newTree()
	if err := t.fill(below, Root); err != nil {
		return nil, err
	}
	for child := range parents {
		if _, ok := t.Find(child); !ok {
			return nil, fmt.Errorf("the topic %q is not below the root: it is above itself, or below one that is",
				child)
		}
	}
	if t.Len() == 1 {
		return nil, errors.New("the tree has no topic")
	}
	return t, nil
}

func newTree() *Tree {
	return &Tree{names: []string{""}, number: map[string]int{}, parent: []int{Root}, end: []int{1}, depth: []int{0}}
}

// fill adds the topics below a topic.
func (t *Tree) fill(below map[string][]string, parent int) error {
	children := below[t.names[parent]]
	slices.Sort(children)
	for _, name := range children {
		at := t.Len()
		if err := t.add(name, parent); err != nil {
			return err
		}
		if err := t.fill(below, at); err != nil {
			return err
		}
	}
	return nil
}

// add adds a topic below parent, which is the last topic or one above it.
func (t *Tree) add(name string, parent int) error {
	if err := checkName(name); err != nil {
		return err
	}
	if t.Len() > maxTopics {
		return fmt.Errorf("the tree has more than %d topics", maxTopics)
	}
	depth := t.depth[parent] + 1
	if depth > maxDepth {
		return fmt.Errorf("the topic %q is more than %d levels below the root", name, maxDepth)
	}
	t.number[name] = t.Len()
	t.names, t.parent = append(t.names, name), append(t.parent, parent)
	t.end, t.depth = append(t.end, 0), append(t.depth, depth)
	for at := t.Len() - 1; ; at = t.parent[at] {
		if t.end[at] = t.Len(); at == Root {
			return nil
		}
	}
}

func checkName(name string) error {
	if name == "" || len(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name,
		func(r rune) bool { return r == ',' || unicode.IsControl(r) }) {
		return fmt.Errorf("%.40q is no name of a topic: want 1 to %d bytes of UTF-8 without commas and "+
			"control characters", name, maxName)
	}
	return nil
}

// Len returns the number of topics, including the root.
func (t *Tree) Len() int { return len(t.names) }

// Name returns the name of a topic.
func (t *Tree) Name(topic int) string { return t.names[topic] }

// Parent returns the topic above a topic.
func (t *Tree) Parent(topic int) int { return t.parent[topic] }

// Depth returns how many levels a topic is below the root.
func (t *Tree) Depth(topic int) int { return t.depth[topic] }

// Leaf reports whether nothing is below a topic.
func (t *Tree) Leaf(topic int) bool { return t.end[topic] == topic+1 }

// In reports whether a topic is above, or below it.
func (t *Tree) In(topic, above int) bool { return above <= topic && topic < t.end[above] }

// Children returns the topics directly below a topic, ascending.
func (t *Tree) Children(topic int) (children []int) {
	for at := topic + 1; at < t.end[topic]; at = t.end[at] {
		children = append(children, at)
	}
	return children
}

// Find returns the topic with a name.
func (t *Tree) Find(name string) (topic int, ok bool) {
	topic, ok = t.number[name]
	return topic, ok
}

// Above returns the topic at a depth that a topic is in. ok is false if the topic is less deep.
func (t *Tree) Above(topic, depth int) (above int, ok bool) {
	for t.depth[topic] > depth {
		topic = t.parent[topic]
	}
	return topic, t.depth[topic] == depth
}

// some lists the first n topics for a message.
func (t *Tree) some(n int) string {
	names := t.names[1:]
	more := ""
	if len(names) > n {
		names, more = names[:n], fmt.Sprintf(" and %d more", len(names)-n)
	}
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = classify.Plain(name)
	}
	return strings.Join(plain, ", ") + more
}

// Good returns the topics with these names, ascending. It returns an error if one is missing, named
// twice, or below another.
func (t *Tree) Good(names []string) (good []int, err error) {
	for _, name := range names {
		topic, ok := t.Find(name)
		if !ok {
			return nil, fmt.Errorf("%q is no topic of the tree; it has: %s", name, t.some(10))
		}
		good = append(good, topic)
	}
	if len(good) == 0 {
		return nil, errors.New("no topic is good")
	}
	slices.Sort(good)
	for i, topic := range good[1:] { // a topic comes right before those below it
		switch above := good[i]; {
		case topic == above:
			return nil, fmt.Errorf("the topic %q is named twice", t.names[topic])
		case t.In(topic, above):
			return nil, fmt.Errorf("the topic %q lies below %q, which is good as a whole: leave one out",
				t.names[topic], t.names[above])
		}
	}
	return good, nil
}

// Whole reports whether every leaf is one of these topics, or below one.
func (t *Tree) Whole(good []int) bool {
	for topic := range t.names {
		if t.Leaf(topic) && !slices.ContainsFunc(good, func(above int) bool { return t.In(topic, above) }) {
			return false
		}
	}
	return true
}
