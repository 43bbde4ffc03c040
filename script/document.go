package script

import (
	"bytes"
	"strconv"
	"strings"

	// This package uses the parser BurntSushi/toml, which also reads nodes.toml and the parameters
	// of examples. Its public API has no positions of keys and values, except in syntax errors, and
	// no positions of list items. Without its package unstable, the carets in our messages would
	// need our own scanner of TOML, 250 lines. The API of unstable may change with a version; only
	// the code in this file would change with it.
	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// A node is a key of the script, or an item of a list, with its value and its position.
type node struct {
	key   string
	at    int // offset of the key; of a table, its name in the first header
	typ   valueType
	value any     // a string, an int64 or a bool; nil for any other type
	begin int     // offset of the value, the quote of a string; of a table, its name
	end   int     // offset after a string
	below []*node // the keys of a table, the items of a list, in file order
}

// A valueType is the name of a value's type in the language reference.
type valueType string

const (
	aString    valueType = "a string"
	anInteger  valueType = "an integer"
	aFloat     valueType = "a float"
	aBoolean   valueType = "a boolean"
	aTime      valueType = "a date or time"
	aList      valueType = "a list"
	aTable     valueType = "a table"
	manyTables valueType = "a list of tables"
)

// readDocument parses TOML text into a tree. The library's decoder checks whether the text is
// valid. Its parser returns the positions of keys and values. An error is a *toml.DecodeError.
func readDocument(text []byte) (*node, error) {
	var valid map[string]any
	if err := toml.Unmarshal(text, &valid); err != nil {
		return nil, err
	}
	root := &node{typ: aTable}
	table := root
	p := &unstable.Parser{}
	p.Reset(text)
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			table = root.enter(e.Key())
		case unstable.ArrayTable:
			table = root.enter(e.Key())
			table.typ = manyTables
		case unstable.KeyValue:
			table.set(e, text)
		}
	}
	return root, p.Error()
}

// enter returns the node of a dotted key below n. It creates missing tables.
func (n *node) enter(keys unstable.Iterator) *node {
	for keys.Next() {
		key, at := string(keys.Node().Data), int(keys.Node().Raw.Offset)
		c := n.child(key)
		if c == nil {
			c = &node{key: key, at: at, begin: at, typ: aTable}
			n.below = append(n.below, c)
		}
		n = c
	}
	return n
}

// set adds a key with its value below n.
func (n *node) set(e *unstable.Node, text []byte) {
	c := n.enter(e.Key())
	behind := 0
	for keys := e.Key(); keys.Next(); {
		behind = int(keys.Node().Raw.Offset + keys.Node().Raw.Length)
	}
	// The parser has no position for a list, which begins at the first bracket after the key.
	c.begin = behind + max(bytes.IndexByte(text[behind:], '['), 0)
	c.fill(e.Value(), text)
}

// fill sets the value of n.
func (n *node) fill(v *unstable.Node, text []byte) {
	if v.Raw.Length > 0 {
		n.begin, n.end = int(v.Raw.Offset), int(v.Raw.Offset+v.Raw.Length)
	}
	switch v.Kind {
	case unstable.String:
		n.typ, n.value = aString, string(v.Data)
	case unstable.Integer:
		number, _ := strconv.ParseInt(string(v.Data), 0, 64) // the decoder has accepted it
		n.typ, n.value = anInteger, number
	case unstable.Bool:
		n.typ, n.value = aBoolean, v.Data[0] == 't'
	case unstable.Float:
		n.typ = aFloat
	case unstable.Array:
		n.typ = aList
		for one := v.Child(); one.Valid(); one = one.Next() {
			c := &node{key: n.key, at: n.at, begin: n.begin}
			c.fill(one, text)
			n.below = append(n.below, c)
		}
	case unstable.InlineTable:
		for one := v.Child(); one.Valid(); one = one.Next() {
			n.set(one, text)
		}
		n.typ = aTable
	default:
		n.typ = aTime
	}
}

// child returns the node of a key below n, or nil if there is none.
func (n *node) child(key string) *node {
	for _, c := range n.below {
		if c.key == key {
			return c
		}
	}
	return nil
}

// place returns the position of the key, or of its parent if the key is not written.
func (n *node) place(key string) int {
	if c := n.child(key); c != nil {
		return c.at
	}
	return n.at
}

// An item is a string of the script with the position of its opening quote.
type item struct {
	text string
	at   int
}

// name returns the key as an item.
func (n *node) name() item { return item{n.key, n.at} }

// text returns the string value of n.
func (n *node) text() item {
	text, _ := n.value.(string)
	return item{text, n.begin}
}

// offset returns the position in the source of the byte at off of a string value. word is the text
// that begins there. Escapes make the source longer than the value, so offset searches the source
// for the same occurrence of word. If it finds none, it returns the position of the string.
func offset(source []byte, it item, off int, word string) int {
	at := it.at + 1
	if quote := source[it.at : it.at+1]; bytes.HasPrefix(source[it.at:], bytes.Repeat(quote, 3)) {
		at += 2
	}
	for range strings.Count(it.text[:off], word) + 1 {
		i := bytes.Index(source[at:], []byte(word))
		if i < 0 || word == "" {
			return it.at
		}
		at += i + len(word)
	}
	return at - len(word)
}
