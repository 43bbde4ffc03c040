package httphead

import (
	"bytes"
	"strconv"
	"strings"
)

// CutStatus reads the status line that head begins with. It returns the version behind "HTTP/", the
// status, from 100 to 999, and the lines behind it. ok is false if head begins with no status line.
func CutStatus(head []byte) (version []byte, status int, fields []byte, ok bool) {
	line, fields, _ := bytes.Cut(head, []byte("\n"))
	version, after, _ := bytes.Cut(line, []byte(" "))
	version, ok = bytes.CutPrefix(version, []byte("HTTP/"))
	after = bytes.TrimLeft(after, " ")
	if !ok || len(after) < 3 || len(after) > 3 && after[3] > ' ' {
		return nil, 0, nil, false
	}
	n, err := strconv.ParseUint(string(after[:3]), 10, 16)
	return version, int(n), fields, err == nil && n >= 100
}

// End returns the length of the header that b begins with, its empty line included, or -1 if b does
// not hold its end.
func End(b []byte) int {
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

// Parse appends the fields of header lines to f. A line that begins with a blank continues the
// value before it; a line without a colon or without a name is dropped, since servers send such.
func (f Fields) Parse(text string) Fields {
	var folded []string // lines that continue the last field
	open := false       // the last line with a colon has a name
	for len(text) > 0 {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		if line != "" && (line[0] == ' ' || line[0] == '\t') {
			if open {
				folded = append(folded, strings.TrimSpace(line))
			}
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			continue
		}
		f.unfold(folded)
		folded = folded[:0]
		name = strings.TrimSpace(name)
		if open = name != ""; open {
			f = append(f, Field{name, strings.TrimSpace(value)})
		}
	}
	f.unfold(folded)
	return f
}

// unfold adds lines to the value of the last field, all at once: a field may have very many.
func (f Fields) unfold(lines []string) {
	if len(lines) == 0 {
		return
	}
	last := &f[len(f)-1]
	last.Value = strings.TrimSpace(last.Value + " " + strings.Join(lines, " "))
}
