package html

import (
	"bytes"

	"multitext/classify/internal/ascii"
)

// An Attribute is an attribute that a [Lexer] keeps: it contains a URL, or determines the purpose
// of a tag. The lexer skips all others, which saves time and limits the memory for a tag.
type Attribute uint8

const (
	Href Attribute = iota
	Src
	Srcset
	Data
	Poster
	XlinkHref
	Rel
	Alt
	Name
	HTTPEquiv
	Content
	Charset
	Class // with [Classes], as the next two
	ID
	Role
	attributes // the number of attributes
)

// attributeNames contains their names. attributeLengths has a bit for each of the lengths of those
// that are always kept, classLengths of all. This excludes most other attributes quickly.
var (
	attributeNames = [attributes]string{"href", "src", "srcset", "data", "poster", "xlink:href", "rel", "alt",
		"name", "http-equiv", "content", "charset", "class", "id", "role"}
	attributeLengths = lengthsOf(attributeNames[:Class])
	classLengths     = lengthsOf(attributeNames[:])
)

func lengthsOf(names []string) (bits uint64) {
	for _, name := range names {
		bits |= 1 << len(name)
	}
	return bits
}

// A tag contains the attributes of a start tag that are kept, as written on the page. Of two
// attributes with the same name the first counts, as in a browser.
type tag struct {
	values [attributes][]byte
	has    uint16 // a bit for each value that belongs to this tag
}

// keep stores an attribute if it is one to keep.
func (t *tag) keep(name, value []byte) {
	if attributeLengths>>len(name)&1 != 0 {
		t.find(name, value, attributeNames[:Class])
	}
}

// keepClass does the same with [Classes].
func (t *tag) keepClass(name, value []byte) {
	if classLengths>>len(name)&1 != 0 {
		t.find(name, value, attributeNames[:])
	}
}

func (t *tag) find(name, value []byte, names []string) {
	for a, known := range names {
		if len(name) == len(known) && ascii.Lower(name[0]) == known[0] && bytes.EqualFold(name, []byte(known)) {
			if t.has>>a&1 == 0 {
				t.values[a] = value
				t.has |= 1 << a
			}
			return
		}
	}
}

// Attr returns the value of an attribute of the current start tag, or nil if the attribute is
// absent or empty. It is valid until the next tag.
func (l *Lexer) Attr(a Attribute) []byte {
	if l.tag.has>>a&1 == 0 || len(l.tag.values[a]) == 0 {
		return nil
	}
	return decoded(l.tag.values[a])
}
