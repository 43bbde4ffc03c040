package script

import (
	"fmt"
	"strings"
)

// A word is a piece of a command line, and where its bytes stood in it.
type word struct {
	text []byte
	from []int // offset of each byte of text in the command line
	at   int   // offset of the word, its quote if it begins with one
}

// A textError is what is wrong with a text, and at which of its bytes.
type textError struct {
	at   int
	what string // the text that begins there
	msg  string
}

// notShell says why a byte that a shell would act on is refused.
const notShell = `"run" is no shell; quote it, or write the line as "shell"`

// A splitter cuts a command line into words as a shell does: '…' keeps all,
// "…" and a backslash keep what they keep in a shell. Any other syntax of a
// shell is refused and not silently handed on.
type splitter struct {
	line  string
	at    int
	words []word
	in    bool // the last of words is still open
}

// split cuts a command line into words.
func split(line string) ([]word, *textError) {
	s := &splitter{line: line}
	for s.at < len(line) {
		if err := s.step(); err != nil {
			return nil, err
		}
	}
	return s.words, nil
}

// step reads one byte, or one quoted part.
func (s *splitter) step() *textError {
	switch c := s.line[s.at]; c {
	case ' ', '\t', '\n', '\r':
		s.in = false
		s.at++
		return nil
	case '\'':
		return s.single()
	case '"':
		return s.double()
	case '\\':
		return s.backslash()
	case '|', '>', '<', ';', '&', '$', '`':
		return &textError{s.at, string(c), fmt.Sprintf("%q outside quotes: %s", c, notShell)}
	}
	s.open()
	s.keep()
	return nil
}

// open begins a word unless one is open.
func (s *splitter) open() {
	if !s.in {
		s.words = append(s.words, word{at: s.at})
		s.in = true
	}
}

// keep takes the byte at hand into the open word.
func (s *splitter) keep() {
	w := &s.words[len(s.words)-1]
	w.text = append(w.text, s.line[s.at])
	w.from = append(w.from, s.at)
	s.at++
}

func (s *splitter) single() *textError {
	end := strings.IndexByte(s.line[s.at+1:], '\'')
	if end < 0 {
		return &textError{s.at, "'", "the quote ' is not closed"}
	}
	s.open()
	s.at++
	for range end {
		s.keep()
	}
	s.at++
	return nil
}

func (s *splitter) double() *textError {
	start := s.at
	s.open()
	for s.at++; s.at < len(s.line); {
		switch c := s.line[s.at]; c {
		case '"':
			s.at++
			return nil
		case '$', '`':
			return &textError{s.at, string(c), fmt.Sprintf("%q inside double quotes: %s", c, notShell)}
		case '\\':
			if strings.HasPrefix(s.line[s.at:], "\\\n") {
				s.at += 2
				continue
			}
			if s.at+1 < len(s.line) && strings.IndexByte("\"\\$`", s.line[s.at+1]) >= 0 {
				s.at++
			}
		}
		s.keep()
	}
	return &textError{start, `"`, `the quote " is not closed`}
}

func (s *splitter) backslash() *textError {
	if s.at+1 == len(s.line) {
		return &textError{s.at, `\`, `nothing follows the last \`}
	}
	if s.line[s.at+1] == '\n' { // a continued line, as in a shell
		s.at += 2
		return nil
	}
	s.open()
	s.at++
	s.keep()
	return nil
}
