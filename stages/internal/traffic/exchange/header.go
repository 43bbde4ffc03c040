package exchange

import (
	"iter"
	"strings"
)

// A Header is the fields of an answer, in the order in which they came. A head has a dozen of them, of which
// three or four are looked for: a list is read faster than a map is made.
type Header []field

type field struct{ name, value string }

// Get gives the first value of the field of that name, whatever its case, "" without any.
func (h Header) Get(name string) string {
	for value := range h.Values(name) {
		return value
	}
	return ""
}

// Values gives the values of all fields of that name, whatever its case.
func (h Header) Values(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range h {
			if sameName(h[i].name, name) && !yield(h[i].value) {
				return
			}
		}
	}
}

func (h Header) has(name string) bool {
	for range h.Values(name) {
		return true
	}
	return false
}

// words gives the words of a list with commas, which a header may have in several fields.
func (h Header) words(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for value := range h.Values(name) {
			for word := range strings.SplitSeq(value, ",") {
				if !yield(strings.TrimSpace(word)) {
					return
				}
			}
		}
	}
}

// lastWord gives the last of the words, "" without any.
func (h Header) lastWord(name string) (word string) {
	for word = range h.words(name) { // to the end
	}
	return word
}

func (h Header) hasWord(name, word string) bool {
	for w := range h.words(name) {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// sameName tells whether two names of fields are the same but for the case of ASCII letters; of no others, for
// which of them are one is not HTTP's.
func sameName(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if a[i] != b[i] && lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// parseFields reads a header. A line that begins with a blank goes on with the value before it; one without a
// colon is passed over.
func parseFields(text string) Header {
	h := make(Header, 0, 16)
	var more []string // lines of the value of the last field behind its first
	end := func() {
		if len(more) > 0 {
			last := &h[len(h)-1]
			last.value = last.value + " " + strings.Join(more, " ")
			more = more[:0]
		}
	}
	open := false // the last line with a colon has a name
	for len(text) > 0 {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		line = strings.TrimRight(line, "\r")
		if line != "" && (line[0] == ' ' || line[0] == '\t') {
			if open {
				more = append(more, strings.TrimSpace(line))
			}
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		end()
		name = strings.TrimSpace(name)
		if open = name != ""; open {
			h = append(h, field{name, strings.TrimSpace(value)})
		}
	}
	end()
	return h
}
