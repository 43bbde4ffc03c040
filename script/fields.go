package script

import (
	"cmp"
	"fmt"
	"iter"
	"strconv"
	"time"
)

// A field is a key that a table may contain, and the function that reads its value.
type field struct {
	name string
	read func(*node)
}

// table reads the keys of a table. title is the name of the table in messages.
func (p *parser) table(n *node, title string, fields []field) {
	if n.typ != aTable {
		p.wrongType(n, "a table")
		return
	}
	for _, c := range n.below {
		if read := find(fields, c.key); read != nil {
			read(c)
		} else {
			p.report(c.at, fmt.Sprintf("unknown key %q %s", c.key, title), p.keyHint(c.key, fields))
		}
	}
}

// find returns the function that reads a key, or nil if the table has no such key.
func find(fields []field, key string) func(*node) {
	for _, f := range fields {
		if f.name == key {
			return f.read
		}
	}
	return nil
}

// keyHint returns a hint where an unknown key belongs, or which key was meant.
func (p *parser) keyHint(key string, fields []field) string {
	if find(p.topFields(), key) != nil {
		return "it belongs to the whole script: move it above the first [table]"
	}
	for title, others := range p.allFields() {
		if find(others, key) != nil {
			return "it is a key of " + title
		}
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	return cmp.Or(DidYouMean(key, names), "known are "+list(names))
}

// allFields returns the fields of each table that a script may contain.
func (p *parser) allFields() iter.Seq2[string, []field] {
	return func(yield func(string, []field) bool) {
		_ = yield("[stage.NAME]", p.stageFields(&Stage{})) &&
			yield("[queue.NAME]", p.queueFields(&Queue{})) &&
			yield("[limit]", p.limitFields()) &&
			yield("[stop]", p.stopFields()) &&
			yield("[service.NAME]", p.serviceFields(&Service{}))
	}
}

// wrongType reports a value of the wrong type.
func (p *parser) wrongType(n *node, want string) {
	p.report(n.begin, fmt.Sprintf("%q must be %s, not %s", n.key, want, n.typ), "")
}

// invalid reports an invalid value of the right type.
func (p *parser) invalid(n *node, format string, args ...any) {
	p.report(n.begin, fmt.Sprintf("%q: ", n.key)+fmt.Sprintf(format, args...), "")
}

// str reads a string that is not empty.
func (p *parser) str(n *node) (string, bool) {
	text, ok := n.value.(string)
	if !ok {
		p.wrongType(n, "a string")
	} else if text == "" {
		p.invalid(n, "an empty string says nothing")
	}
	return text, ok && text != ""
}

// strs reads a string or a list of strings. None of them may be empty.
func (p *parser) strs(n *node) []item {
	values := []*node{n}
	if n.typ == aList {
		values = n.below
	}
	var items []item
	for _, v := range values {
		switch {
		case v.typ != aString:
			p.report(v.begin, fmt.Sprintf("%q must be a string or a list of strings, not %s", n.key, v.typ), "")
		case v.value == "":
			p.invalid(v, "an empty string says nothing")
		default:
			items = append(items, v.text())
		}
	}
	return items
}

// number reads an integer between least and most.
func (p *parser) number(n *node, least, most int64) int {
	v, ok := n.value.(int64)
	if !ok {
		p.wrongType(n, "an integer")
	} else if v < least || v > most {
		p.invalid(n, "%d is out of range; it is %d to %d", v, least, most)
	}
	return int(v)
}

func (p *parser) boolean(n *node) bool {
	v, ok := n.value.(bool)
	if !ok {
		p.wrongType(n, "true or false")
	}
	return v
}

// duration reads a duration. It must have a unit.
func (p *parser) duration(n *node) time.Duration {
	return unit(p, n, "duration", "30s", parseDuration)
}

// size reads a number of bytes. It must have a unit.
func (p *parser) size(n *node) int64 {
	return unit(p, n, "size", "5GB", parseSize)
}

// unit reads a string with a unit. The string may contain vars. The argument what is its name in
// messages.
func unit[T any](p *parser, n *node, what, example string, parse func(string) (T, error)) T {
	var none T
	if n.typ != aString {
		hint := ""
		if n.typ == anInteger {
			hint = fmt.Sprintf("%d has no unit", n.value)
		}
		p.report(n.begin, fmt.Sprintf("%q must be a %s in quotes, as in %q", n.key, what, example), hint)
		return none
	}
	it, ok := p.fill(n.text(), false)
	if !ok {
		return none
	}
	v, err := parse(it.text)
	if err != nil {
		p.invalid(n, "%s: %v", strconv.Quote(it.text), err)
		return none
	}
	return v
}

// amount reads a number of batches, or a size.
func (p *parser) amount(n *node) Amount {
	switch n.value.(type) {
	case int64:
		return Amount{Batches: p.number(n, 1, 1_000_000)}
	case string:
		return Amount{Bytes: p.size(n)}
	}
	p.wrongType(n, "a number of batches or a size in quotes")
	return Amount{}
}
