package script

import (
	"fmt"
	"strings"
)

// A textError is an error at a byte of a text.
type textError struct {
	at   int
	what string // the text that begins at this byte
	msg  string
}

// notShell returns an error message for a byte that a shell would interpret.
const notShell = `"run" is no shell; quote it, or write the line as "shell"`

// A scanner splits a command line into words, and the words into parts.
type scanner struct {
	line   string
	at     int
	words  [][]part
	open   bool   // the last word is not complete
	spoilt bool   // an error in its braces was found; the rest is plain text
	plain  []byte // plain text that is not in a part yet
	from   int    // offset of plain
	errs   []textError
}

// scanLine splits a command line as a shell does. '…' quotes every character; "…" and a backslash
// quote what they quote in a shell. Any other shell syntax is an error. If there is an error,
// scanLine returns no words.
func scanLine(line string) ([][]part, []textError) {
	s := &scanner{line: line}
	for s.at < len(line) {
		if !s.step() {
			return nil, s.errs
		}
	}
	s.flush()
	return s.words, s.errs
}

// scanWord scans a text that is one word, without quotes.
func scanWord(text string) ([]part, []textError) {
	s := &scanner{line: text}
	s.begin()
	s.takeTo(len(text))
	s.flush()
	return s.words[0], s.errs
}

// step reads one byte, one placeholder, or one quoted part, and reports whether scanning can
// continue.
func (s *scanner) step() bool {
	switch c := s.line[s.at]; c {
	case ' ', '\t', '\n', '\r':
		s.flush()
		s.open = false
		s.at++
		return true
	case '\'':
		return s.single()
	case '"':
		return s.double()
	case '\\':
		return s.backslash()
	case '|', '>', '<', ';', '&', '$', '`':
		return s.fail(s.at, string(c), fmt.Sprintf("%q outside quotes: %s", c, notShell))
	}
	return s.take()
}

func (s *scanner) single() bool {
	end := strings.IndexByte(s.line[s.at+1:], '\'')
	if end < 0 {
		return s.fail(s.at, "'", "the quote ' is not closed")
	}
	s.begin()
	s.at++
	s.takeTo(s.at + end)
	s.at++
	return true
}

func (s *scanner) double() bool {
	start := s.at
	s.begin()
	for s.at++; s.at < len(s.line); {
		switch c := s.line[s.at]; c {
		case '"':
			s.at++
			return true
		case '$', '`':
			return s.fail(s.at, string(c), fmt.Sprintf("%q inside double quotes: %s", c, notShell))
		case '\\':
			if strings.HasPrefix(s.line[s.at:], "\\\n") {
				s.at += 2
				continue
			}
			if s.at+1 < len(s.line) && strings.IndexByte("\"\\$`", s.line[s.at+1]) >= 0 {
				s.at++
			}
		}
		s.take()
	}
	return s.fail(start, `"`, `the quote " is not closed`)
}

func (s *scanner) backslash() bool {
	if s.at+1 == len(s.line) {
		return s.fail(s.at, `\`, `nothing follows the last \`)
	}
	if s.line[s.at+1] == '\n' { // a backslash continues the line, as in a shell
		s.at += 2
		return true
	}
	s.at++
	return s.take()
}

// fail stores an error and returns false.
func (s *scanner) fail(at int, what, msg string) bool {
	s.errs = append(s.errs, textError{at, what, msg})
	return false
}

// begin begins a word unless the last word is incomplete.
func (s *scanner) begin() {
	if !s.open {
		s.words = append(s.words, nil)
		s.open, s.spoilt = true, false
	}
}

// takeTo takes all bytes up to end.
func (s *scanner) takeTo(end int) {
	for s.at < end {
		s.take()
	}
}

// take adds the current byte or placeholder to the current word: {NAME} is a placeholder, {{ and }}
// are braces.
func (s *scanner) take() bool {
	s.begin()
	rest, length := s.line[s.at:], 1
	switch name, _, closed := strings.Cut(rest[1:], "}"); {
	case s.spoilt:
	case rest[0] == 0:
		s.spoilt = !s.fail(s.at, "", "a NUL byte, which no command line can hold")
	case strings.HasPrefix(rest, "{{"), strings.HasPrefix(rest, "}}"):
		length = 2
	case rest[0] == '}':
		s.spoilt = !s.fail(s.at, "}", `a "}" alone; a literal brace is written "}}"`)
	case rest[0] == '{' && closed && isPlaceholderName(name):
		s.flush()
		s.add(part{name: name, at: s.at})
		s.at += len(name) + 2
		return true
	case rest[0] == '{':
		s.spoilt = !s.fail(s.at, "{", `a "{" that begins no placeholder; a literal brace is written "{{"`)
	}
	if len(s.plain) == 0 {
		s.from = s.at
	}
	s.plain = append(s.plain, rest[0])
	s.at += length
	return true
}

// flush ends a part of plain text.
func (s *scanner) flush() {
	if len(s.plain) > 0 {
		s.add(part{text: string(s.plain), at: s.from})
		s.plain = s.plain[:0]
	}
}

// add adds a part to the last word.
func (s *scanner) add(p part) {
	last := len(s.words) - 1
	s.words[last] = append(s.words[last], p)
}

// isPlaceholderName accepts more than valid names. So {Foo} and {foo-bar} are reported as unknown
// names with similar ones, and not as unmatched braces.
func isPlaceholderName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-."
	return name != "" && len(name) <= 64 && strings.Trim(name, letters) == ""
}
