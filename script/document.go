package script

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// A node is one key of the script with its value and its place.
type node struct {
	key   string
	value any // as the TOML library decodes it
	spot  spot
	below []*node // of a table, in file order
}

// A nestingError is the place at which a text is nested too deeply.
type nestingError int

func (e nestingError) Error() string { return "keys, lists or tables nested too deeply" }

// readDocument parses TOML text into a tree.
func readDocument(text []byte) (*node, error) {
	spots, deep := findSpots(text)
	if deep >= 0 {
		return nil, nestingError(deep)
	}
	var table map[string]any
	if _, err := toml.Decode(string(text), &table); err != nil {
		return nil, err
	}
	root := &node{value: table}
	root.fill(nil, spots)
	return root, nil
}

// fill builds the tree below n, whose path is given.
func (n *node) fill(path []string, spots map[string]*spot) {
	table, ok := n.value.(map[string]any)
	if !ok {
		return
	}
	for key, value := range table {
		child := &node{key: key, value: value, spot: n.spot}
		below := append(path[:len(path):len(path)], key)
		if sp := spots[joined(below)]; sp != nil {
			child.spot = *sp
		}
		child.fill(below, spots)
		n.below = append(n.below, child)
	}
	slices.SortFunc(n.below, func(a, b *node) int {
		return cmp.Or(cmp.Compare(a.spot.key, b.spot.key), cmp.Compare(a.key, b.key))
	})
}

// child returns the node of a key below n, nil when it is not there.
func (n *node) child(key string) *node {
	for _, c := range n.below {
		if c.key == key {
			return c
		}
	}
	return nil
}

// at returns where the key stands, or its parent when it is not written.
func (n *node) at(key string) int {
	if c := n.child(key); c != nil {
		return c.spot.key
	}
	return n.spot.key
}

// kind names the value's type in the words of the language reference.
func (n *node) kind() string { return kindOf(n.value) }

func kindOf(value any) string {
	switch value.(type) {
	case string:
		return "a string"
	case int64:
		return "an integer"
	case float64:
		return "a float"
	case bool:
		return "a boolean"
	case []any:
		return "a list"
	case map[string]any:
		return "a table"
	case []map[string]any:
		return "a list of tables"
	}
	return "a date or time"
}

// An item is one string of the script with the place of its opening quote.
type item struct {
	text string
	at   int
}

// item returns the i-th item of a list, or the value itself when it is none.
func (n *node) item(i int, text string) item {
	if i < len(n.spot.items) {
		return item{text, n.spot.items[i]}
	}
	return item{text, n.spot.value}
}

// offset returns where in the source the byte at off of a string value
// stands, given the place of its opening quote. word is what begins there. In
// a string with escapes the same occurrence of word is looked for; where that
// fails, the string's own place is returned.
func offset(source []byte, it item, off int, word string) int {
	body := stringBody(source, it.at)
	if bytes.HasPrefix(source[body:], []byte(it.text)) {
		return body + off
	}
	at := body
	for range strings.Count(it.text[:off], word) + 1 {
		i := bytes.Index(source[at:], []byte(word))
		if i < 0 || word == "" {
			return it.at
		}
		at += i + len(word)
	}
	return at - len(word)
}

// stringBody returns where the text of the string at a quote begins.
func stringBody(source []byte, at int) int {
	rest := source[at:]
	for _, quote := range []string{`"""`, `'''`} {
		if bytes.HasPrefix(rest, []byte(quote)) {
			body := at + 3
			if bytes.HasPrefix(source[body:], []byte("\r\n")) {
				return body + 2
			}
			if bytes.HasPrefix(source[body:], []byte("\n")) {
				return body + 1
			}
			return body
		}
	}
	return min(at+1, len(source))
}

// unescape decodes the inside of a quoted key. An escape that Go does not
// share with TOML leaves the text as it is, which only blurs a caret.
func unescape(text string, quote byte) string {
	if quote == '\'' {
		return text
	}
	if plain, err := strconv.Unquote(`"` + text + `"`); err == nil {
		return plain
	}
	return text
}
