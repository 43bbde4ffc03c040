// Package httphead parses the head of an HTTP answer: its status line and its fields. The header of
// a WARC record has the same kind of lines. Errors of servers are accepted if their meaning is
// clear.
package httphead

import (
	"strings"

	"multitext/stages/internal/web/media"
)

// A Field is one field of a header.
type Field struct {
	Name, Value string
}

// is reports whether the field has that name, which is ASCII. Most other names differ in their
// length.
func (f *Field) is(name string) bool {
	return len(f.Name) == len(name) && strings.EqualFold(f.Name, name)
}

// Fields is a header in the order of its lines. Names are compared without regard to case. A head
// has a dozen fields, of which three or four are looked for: a list is read faster than a map is
// made. Names and values may be pieces of one string: whoever keeps one longer than the others
// copies it.
type Fields []Field

// Add appends a field, unless its value is empty.
func (f Fields) Add(name, value string) Fields {
	if value == "" {
		return f
	}
	return append(f, Field{name, value})
}

// Get returns the value of the first field of that name, or "" if there is none.
func (f Fields) Get(name string) string {
	for i := range f {
		if f[i].is(name) {
			return f[i].Value
		}
	}
	return ""
}

// Values returns the values of all fields of that name.
func (f Fields) Values(name string) []string {
	var values []string
	for i := range f {
		if f[i].is(name) {
			values = append(values, f[i].Value)
		}
	}
	return values
}

// Words returns the words of a list with commas, which may stand in several fields.
func (f Fields) Words(name string) []string {
	var words []string
	for _, value := range f.Values(name) {
		for word := range strings.SplitSeq(value, ",") {
			words = append(words, strings.TrimSpace(word))
		}
	}
	return words
}

// LastWord returns the last of the words, or "" if there is none.
func (f Fields) LastWord(name string) string {
	words := f.Words(name)
	if len(words) == 0 {
		return ""
	}
	return words[len(words)-1]
}

// HasWord reports whether word is among the words, whatever its case.
func (f Fields) HasWord(name, word string) bool {
	for _, w := range f.Words(name) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// ContentType returns the Content-Type that counts.
func (f Fields) ContentType() string { return media.Of(f.Values("Content-Type")) }
