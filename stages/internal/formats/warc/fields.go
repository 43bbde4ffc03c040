package warc

import (
	"bytes"
	"strings"

	"multitext/stages/internal/web/media"
)

// A Field is one line of a WARC or HTTP header.
type Field struct {
	Name, Value string
}

// is tells whether the field has that name, which is of ASCII: then another of its length is another name by the first bytes mostly.
func (f *Field) is(name string) bool {
	return len(f.Name) == len(name) && strings.EqualFold(f.Name, name)
}

// Fields is a header, in the order of its lines. Names are compared without regard to case. Names and values are
// pieces of one string: whoever keeps one longer than the others copies it.
type Fields []Field

// Get gives the value of the first field of that name, "" if there is none.
func (f Fields) Get(name string) string {
	for i := range f {
		if f[i].is(name) {
			return f[i].Value
		}
	}
	return ""
}

// All gives the values of all fields of that name.
func (f Fields) All(name string) []string {
	var values []string
	for i := range f {
		if f[i].is(name) {
			values = append(values, f[i].Value)
		}
	}
	return values
}

// ContentType gives the Content-Type that counts.
func (f Fields) ContentType() string { return media.Of(f.All("Content-Type")) }

// parseFields reads header lines.
func parseFields(b []byte) Fields { return Fields(nil).parse(string(b)) }

// parse appends what header lines say. A line that begins with a blank goes on with the value before it;
// a line without colon is dropped, since servers send such.
func (f Fields) parse(text string) Fields {
	var folded []string // lines that go on with the last field
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if line != "" && (line[0] == ' ' || line[0] == '\t') {
			folded = append(folded, trim(line))
			continue
		}
		if len(folded) > 0 {
			f.unfold(folded)
			folded = folded[:0]
		}
		if name, value, ok := strings.Cut(trim(line), ":"); ok && name != "" {
			f = append(f, Field{trim(name), trim(value)})
		}
	}
	f.unfold(folded)
	return f
}

// trim is strings.TrimSpace, which takes its time for the little there is mostly: a blank in front and a CR behind.
func trim(s string) string {
	if s != "" && s[0] == ' ' {
		s = s[1:]
	}
	if n := len(s); n > 0 && s[n-1] == '\r' {
		s = s[:n-1]
	}
	if n := len(s); n > 0 && isGraph(s[0]) && isGraph(s[n-1]) {
		return s
	}
	return strings.TrimSpace(s)
}

// isGraph tells whether c is a character of ASCII that can be seen.
func isGraph(c byte) bool { return c > ' ' && c < 0x7f }

// unfold adds lines to the value of the last field.
func (f Fields) unfold(lines []string) {
	if len(f) == 0 || len(lines) == 0 {
		return
	}
	last := &f[len(f)-1]
	last.Value = strings.TrimSpace(last.Value + " " + strings.Join(lines, " "))
}

// headerEnd gives the length of the header that b begins with, its empty line included, or -1 if b does
// not hold its end.
func headerEnd(b []byte) int {
	for i := 0; ; {
		n := bytes.IndexByte(b[i:], '\n')
		if n < 0 {
			return -1
		}
		i += n + 1
		switch {
		case bytes.HasPrefix(b[i:], []byte("\n")):
			return i + 1
		case bytes.HasPrefix(b[i:], []byte("\r\n")):
			return i + 2
		}
	}
}
