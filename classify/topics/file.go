package topics

import (
	"encoding/binary"
	"errors"
	"fmt"

	"multitext/classify"
	"multitext/classify/internal/modelfile"
)

// kind is the kind of the files.
var kind = modelfile.Kind{Magic: "mttopics", Version: 1, Header: 16}

// Format returns the version of the files that this package reads and writes.
func Format() string { return fmt.Sprintf("topics %d", kind.Version) }

// Every error of Parse wraps ErrDamaged: the bytes are not a complete file of a version that this
// package reads.
var ErrDamaged = errors.New("no sound model file of a topic tree")

// AppendBinary appends m as a file to b. It returns an error if m is too large for a file.
//
// In a file of version 1, integers are little-endian:
//
//	header   16 bytes:
//	           "mttopics"
//	           uint32   version = 1
//	           uint32   N, the topics without the root: 1 to 4,096
//	topics   N times, numbered from 1 with parents first and siblings in strictly ascending order:
//	           uint16   number of the topic above; 0 is the root
//	           uint8    length of the name, then as many bytes
//	models   for the root and each topic with two children or more, in order of their numbers:
//	           uint32   length, then as many bytes: a model file of package classify, whose labels
//	                    are the names of the children
//	footer   uint64 XXH64 (seed 0) of all bytes before it
//
// Nothing follows the footer. A file has at most 256 MiB. A reader refuses an unknown version, and
// a tree that breaks the rules in the package comment. testdata/v1 contains a file; every later
// version must be able to read it.
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	start, t := len(b), m.Tree
	b = append(b, kind.Magic...)
	b = binary.LittleEndian.AppendUint32(b, kind.Version)
	b = binary.LittleEndian.AppendUint32(b, uint32(t.Len()-1))
	for topic := 1; topic < t.Len(); topic++ {
		b = binary.LittleEndian.AppendUint16(b, uint16(t.parent[topic]))
		b = append(append(b, byte(len(t.names[topic]))), t.names[topic]...)
	}
	for topic, at := range m.at {
		if at == nil {
			continue
		}
		size := len(b)
		whole, err := at.AppendBinary(append(b, 0, 0, 0, 0))
		if err != nil {
			return nil, fmt.Errorf("the model of the topic %q: %w", t.names[topic], err)
		}
		b = whole
		binary.LittleEndian.PutUint32(b[size:], uint32(len(b)-size-4))
		if len(b)-start+modelfile.FooterSize > modelfile.MaxSize {
			return nil, fmt.Errorf("the models of %d topics take more than %d bytes: choose fewer terms", t.Len()-1,
				modelfile.MaxSize)
		}
	}
	return modelfile.Seal(b, start), nil
}

// Load reads a model from a file.
func Load(path string) (*Model, error) { return modelfile.Load(path, "topics", Parse) }

// Is reports whether data begins like a file of this package.
func Is(data []byte) bool { return kind.Is(data) }

// Parse reads a file. Its memory is proportional to len(data), whatever sizes the file contains.
// Errors wrap ErrDamaged.
func Parse(data []byte) (*Model, error) {
	m, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return m, nil
}

func parse(data []byte) (*Model, error) {
	body, err := kind.Body(data)
	if err != nil {
		return nil, err
	}
	tree, rest, err := parseTree(body, binary.LittleEndian.Uint32(data[12:]))
	if err != nil {
		return nil, err
	}
	m := &Model{tree, make([]*classify.Model, tree.Len())}
	for topic := range m.at {
		if m.divides(topic) {
			if rest, err = m.parse(rest, topic); err != nil {
				return nil, fmt.Errorf("the model of the topic %q: %w", tree.names[topic], err)
			}
		}
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow the models", len(rest))
	}
	return m, nil
}

// parse reads the model of a topic and returns the bytes after it.
func (m *Model) parse(b []byte, topic int) (rest []byte, err error) {
	if len(b) < 4 || uint64(len(b)-4) < uint64(binary.LittleEndian.Uint32(b)) {
		return nil, errors.New("it is cut")
	}
	size := int(binary.LittleEndian.Uint32(b))
	if m.at[topic], err = classify.Parse(b[4:][:size]); err != nil {
		return nil, err
	}
	return b[4+size:], m.check(topic)
}

// parseTree reads n topics and returns the bytes after them.
func parseTree(b []byte, n uint32) (t *Tree, rest []byte, err error) {
	if n < 1 || n > maxTopics {
		return nil, nil, fmt.Errorf("it has %d topics, not 1 to %d", n, maxTopics)
	}
	t = newTree()
	for number := 1; number <= int(n); number++ {
		if len(b) < 3 || len(b) < 3+int(b[2]) {
			return nil, nil, fmt.Errorf("it ends in topic %d of %d", number, n)
		}
		parent, name := int(binary.LittleEndian.Uint16(b)), string(b[3:][:b[2]])
		if t.number[name] > Root || !t.follows(parent, name) {
			return nil, nil, fmt.Errorf("topic %d, %q, is out of order", number, name)
		}
		if err := t.add(name, parent); err != nil {
			return nil, nil, err
		}
		b = b[3+len(name):]
	}
	return t, b, nil
}

// follows reports whether a topic may be added below parent: the last topic is parent, or below it
// and in a child whose name comes before.
func (t *Tree) follows(parent int, name string) bool {
	last := t.Len() - 1
	if parent > last || !t.In(last, parent) {
		return false
	}
	sibling, ok := t.Above(last, t.depth[parent]+1)
	return !ok || t.names[sibling] < name
}
