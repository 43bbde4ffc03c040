package script

import (
	"bytes"
	"strings"
)

// A spot is where a key of the script stands, in byte offsets.
type spot struct {
	key   int   // of the key itself; of a table, its name in the header
	value int   // of the first byte of the value; a quote for a string
	items []int // of the items when the value is an array
}

// A spotter finds the spots of a text that the TOML library has accepted. The
// library keeps its own positions to itself and has none for the items of an
// array, and a caret is worth little when it points at the wrong word. Being
// given valid text only, the spotter checks nothing; on other text it finds
// less, and never fails.
type spotter struct {
	text  []byte
	at    int
	spots map[string]*spot // by joined path
	depth int              // of the lists and tables open around at
	deep  int              // where maxNesting was passed, -1 while it was not
}

// joined is the map key of a path; no key of a TOML file holds a NUL byte
// unless it was written as an escape, which only blurs a caret.
func joined(path []string) string { return strings.Join(path, "\x00") }

const (
	maxDepth   = 8  // how deep keys are noted; no key of the language lies deeper
	maxNesting = 64 // beyond it the library's time and memory grow with the square
)

// findSpots returns the spot of every key and table of text. deep is where
// they are nested too deeply for the library, -1 when they are not.
func findSpots(text []byte) (spots map[string]*spot, deep int) {
	s := &spotter{text: text, spots: map[string]*spot{}, deep: -1}
	var table []string
	for {
		s.blank()
		switch s.peek() {
		case 0:
			return s.spots, s.deep
		case '[':
			table = s.header()
		default:
			s.pair(table)
		}
	}
}

func (s *spotter) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// skip moves over the bytes of set.
func (s *spotter) skip(set string) {
	for s.at < len(s.text) && strings.IndexByte(set, s.text[s.at]) >= 0 {
		s.at++
	}
}

// until moves to the next byte of set, or to the end.
func (s *spotter) until(set string) {
	if i := bytes.IndexAny(s.text[s.at:], set); i >= 0 {
		s.at += i
	} else {
		s.at = len(s.text)
	}
}

// blank moves over white space, line ends and comments. A NUL byte, which no
// valid text holds, ends the text.
func (s *spotter) blank() {
	for {
		s.skip(" \t\r\n\ufeff")
		if s.peek() != '#' {
			break
		}
		s.until("\n")
	}
	if s.peek() == 0 {
		s.at = len(s.text)
	}
}

// header reads [a.b] or [[a.b]] and returns its path.
func (s *spotter) header() []string {
	s.skip("[")
	path := s.path(nil)
	s.skip("] \t")
	return path
}

// pair reads key = value below table.
func (s *spotter) pair(table []string) {
	start := s.at
	path := s.path(table)
	s.skip("= \t")
	sp := &spot{}
	if len(path) <= maxDepth {
		sp = s.spots[joined(path)]
	}
	sp.value = s.at
	s.value(path, sp)
	if s.at == start {
		s.at++
	}
}

// nested gives up when n levels are too many.
func (s *spotter) nested(n int) {
	if n > maxNesting && s.deep < 0 {
		s.deep = s.at
		s.at = len(s.text)
	}
}

// note keeps where a key stands unless it was seen before.
func (s *spotter) note(path []string, at int) {
	if key := joined(path); s.spots[key] == nil {
		s.spots[key] = &spot{key: at, value: at}
	}
}

// path reads a dotted key below table and notes where each part of it stands.
func (s *spotter) path(table []string) []string {
	path := append([]string(nil), table...)
	for {
		s.skip(" \t")
		at := s.at
		path = append(path, s.part())
		s.nested(len(path))
		if len(path) <= maxDepth {
			s.note(path, at)
		}
		s.skip(" \t")
		if s.peek() != '.' {
			return path
		}
		s.at++
	}
}

// part reads one part of a dotted key.
func (s *spotter) part() string {
	start := s.at
	if c := s.peek(); c == '"' || c == '\'' {
		s.str()
		raw := s.text[start:s.at]
		if len(raw) < 2 {
			return ""
		}
		return unescape(string(raw[1:len(raw)-1]), c)
	}
	s.until(" \t\r\n.=]#,}")
	return string(s.text[start:s.at])
}

// value moves over one value and notes the items of an array in sp.
func (s *spotter) value(path []string, sp *spot) {
	s.depth++
	defer func() { s.depth-- }()
	s.nested(s.depth)
	switch s.peek() {
	case '"', '\'':
		s.str()
	case '[':
		s.array(path, sp)
	case '{':
		s.inline(path)
	default:
		s.until(",]}#\r\n")
	}
}

func (s *spotter) array(path []string, sp *spot) {
	s.at++
	for {
		s.blank()
		switch s.peek() {
		case 0:
			return
		case ']':
			s.at++
			return
		case ',':
			s.at++
		default:
			start := s.at
			sp.items = append(sp.items, s.at)
			s.value(path, &spot{})
			if s.at == start {
				s.at++
			}
		}
	}
}

func (s *spotter) inline(path []string) {
	s.at++
	for {
		s.blank()
		switch s.peek() {
		case 0:
			return
		case '}':
			s.at++
			return
		case ',':
			s.at++
		default:
			s.pair(path)
		}
	}
}

// str moves over a string of any of the four kinds.
func (s *spotter) str() {
	quote := string(s.peek())
	if long := strings.Repeat(quote, 3); bytes.HasPrefix(s.text[s.at:], []byte(long)) {
		quote = long
	}
	s.at += len(quote)
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case rest[0] == '\\' && quote[0] == '"':
			s.at += 2
		case bytes.HasPrefix(rest, []byte(quote)):
			s.at += len(quote)
			if len(quote) == 3 {
				s.skip(quote[:1]) // up to two quotes may precede the closing three
			}
			return
		default:
			s.at++
		}
	}
	s.at = len(s.text)
}
