package nodes

import (
	"bytes"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"multitext/stages/internal/run/suggest"
)

// A field is a key of the format. The decoder of TOML takes a key in capital letters for the same
// one, and a table for a list of one table; the format allows neither, since a file that has both
// would lose a node.
type field struct {
	name string
	kind unstable.Kind // of its value: Array is a list of strings, ArrayTable a list of tables
	must string        // what its value must be, and how to write it
}

func fileFields() []field {
	return []field{
		{"nodes", unstable.Integer, "an integer: write nodes = 1"},
		{"url", unstable.String, `a string: write url = "file:crawl/$FROM/outgoing/$TO"`},
		{"secret", unstable.String, `a string: write secret = "32 hexadecimal digits"`},
		{"node", unstable.ArrayTable, "a list of tables: write [[node]] above the keys of each node"},
	}
}

func nodeFields() []field {
	return []field{
		{"name", unstable.String, `a string: write name = "arts"`},
		{"labels", unstable.Array, `a list of strings: write labels = ["arts"]`},
		{"hosts", unstable.Array, `a list of strings: write hosts = ["jp", "example.org/a"]`},
		{"url", unstable.String, `a string: write url = "sftp://crawl@big/$FROM/$TO"`},
	}
}

// A shaper compares a text with the format.
type shaper struct {
	*checker
	text       []byte
	line, upTo int // the line at the offset upTo
}

// shape reports keys that the format does not have and values of a wrong type, and notes the places
// of the others. The text is valid TOML.
func (c *checker) shape(text []byte) {
	c.places = places{keys: map[string]int{}}
	s := &shaper{checker: c, text: text, line: 1}
	p := &unstable.Parser{}
	p.Reset(text)
	table, first := fileFields(), true
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.KeyValue {
			table, first = s.header(e), false
			continue
		}
		name, line := s.keyValue(table, e)
		if first {
			c.places.keys[name] = line
		}
	}
}

// at returns the line of a key. Keys are asked for in their order in the file.
func (s *shaper) at(key *unstable.Node) int {
	s.line += bytes.Count(s.text[s.upTo:key.Raw.Offset], []byte("\n"))
	s.upTo = int(key.Raw.Offset)
	return s.line
}

// header returns the fields of the table that begins at [NAME] or [[NAME]], nil if the format does
// not have the table.
func (s *shaper) header(e *unstable.Node) []field {
	keys := e.Key()
	keys.Next()
	line := s.at(keys.Node())
	f, ok := s.find(fileFields(), keys.Node(), line)
	if !ok {
		return nil
	}
	isNode := f.kind == unstable.ArrayTable
	if isNode && keys.IsLast() && e.Kind == unstable.ArrayTable {
		s.places.nodes = append(s.places.nodes, line)
		return nodeFields()
	}
	if isNode && !keys.IsLast() && len(s.places.nodes) > 0 { // [node.NAME] below [[node]]
		keys.Next()
		if f, ok = s.find(nodeFields(), keys.Node(), line); !ok {
			return nil
		}
	}
	s.fail(line, "%s must be %s", f.name, f.must)
	return nil
}

// keyValue checks KEY = VALUE in a table, and returns the key and its line. It checks nothing in a
// table that the format does not have, as header has reported that.
func (s *shaper) keyValue(table []field, e *unstable.Node) (name string, line int) {
	keys := e.Key()
	keys.Next()
	name, line = string(keys.Node().Data), s.at(keys.Node())
	if table == nil {
		return name, line
	}
	f, ok := s.find(table, keys.Node(), line)
	if ok && !(keys.IsLast() && s.isOf(f, e.Value())) {
		s.fail(line, "%s must be %s", f.name, f.must)
	}
	return name, line
}

// find returns the field of a key. It reports a key that the format does not have.
func (s *shaper) find(table []field, key *unstable.Node, line int) (field, bool) {
	name, hint := string(key.Data), ""
	var names []string
	for _, f := range table {
		if f.name == name {
			return f, true
		}
		if strings.EqualFold(f.name, name) {
			hint = ": write " + f.name
		}
		names = append(names, f.name)
	}
	if hint == "" {
		hint = suggest.Hint(name, names)
	}
	s.fail(line, "there is no key %.60q here%s", name, hint)
	return field{}, false
}

// isOf reports whether a value has the type of the field. It checks the keys of inline nodes.
func (s *shaper) isOf(f field, v *unstable.Node) bool {
	item := unstable.String
	switch f.kind {
	case unstable.ArrayTable:
		item = unstable.InlineTable
	case unstable.Array:
	default:
		return v.Kind == f.kind
	}
	if v.Kind != unstable.Array {
		return false
	}
	for items := v.Children(); items.Next(); {
		if items.Node().Kind != item {
			return false
		}
		if item != unstable.InlineTable {
			continue
		}
		for keys := items.Node().Children(); keys.Next(); {
			s.keyValue(nodeFields(), keys.Node())
		}
	}
	return true
}
