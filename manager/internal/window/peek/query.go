package peek

import (
	"bytes"
	"strings"
)

// A Query is the texts that a line must contain, in any order.
type Query []string

// Parse reads a query: words, and texts in double quotes, which may contain spaces. A quote without
// a second one is part of a word.
func Parse(text string) (q Query) {
	for text = strings.TrimLeft(text, " \t"); text != ""; text = strings.TrimLeft(text, " \t") {
		if end := strings.IndexByte(text[1:], '"'); text[0] == '"' && end > 0 {
			q, text = append(q, text[1:1+end]), text[end+2:]
			continue
		}
		end := strings.IndexAny(text, " \t")
		if end < 0 {
			end = len(text)
		}
		q, text = append(q, text[:end]), text[end:]
	}
	return q
}

// A match searches a line, piece by piece, for all texts of a query.
type match struct {
	texts [][]byte
	left  []bool // which texts were not found in this line so far
	tail  []byte // the end of the last piece, where a text may begin that ends in the next one
	told  bool   // all were found in this line
}

func newMatch(q Query) *match {
	m := &match{left: make([]bool, len(q))}
	for _, text := range q {
		m.texts = append(m.texts, []byte(text))
	}
	return m
}

// in takes the next piece. all is true if every text of the query was found now in its line, for
// the first time. at is where the first text is in the piece, or -1 if it begins in a piece before.
func (m *match) in(p *pieces) (at int, all bool) {
	if p.begins {
		m.told, m.tail = false, m.tail[:0]
		for i := range m.left {
			m.left[i] = true
		}
	}
	if m.told {
		return 0, false
	}
	m.told, at = true, -1
	longest := 0
	for i, text := range m.texts {
		if longest = max(longest, len(text)); !m.left[i] {
			continue
		}
		found := bytes.Index(p.piece, text)
		if m.left[i] = found < 0 && !m.onEdge(p.piece, text); m.left[i] {
			m.told = false
		}
		if i == 0 {
			at = found
		}
	}
	if !p.ends {
		m.tail = append(m.tail[:0], p.piece[max(0, len(p.piece)-longest+1):]...)
	}
	return at, m.told
}

// onEdge reports whether a text begins in the last piece and ends in this one.
func (m *match) onEdge(piece, text []byte) bool {
	before := m.tail[max(0, len(m.tail)-len(text)+1):]
	return len(before) > 0 && bytes.Contains(append(bytes.Clone(before), piece[:min(len(text)-1, len(piece))]...), text)
}
