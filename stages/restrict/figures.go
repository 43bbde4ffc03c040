package main

import "bytes"

// The figures of a URL that rules compare. Those of a path are taken from its segments; a canonical
// URL has few of them (canon.MaxSegments), so that comparing each with each is cheaper than a
// table.

// segments returns the number of segments that are not empty.
func (s *subject) segments() int { return len(s.split()) }

// repeats returns how often the most frequent segment is in the path.
func (s *subject) repeats() int {
	parts, most := s.split(), 0
	for i := 0; i+most < len(parts); i++ {
		n := 1
		for _, p := range parts[i+1:] {
			if bytes.Equal(p, parts[i]) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// split returns the segments that are not empty.
func (s *subject) split() [][]byte {
	if len(s.parts) > 0 {
		return s.parts
	}
	for part := range bytes.SplitSeq(s.path, []byte("/")) {
		if len(part) > 0 {
			s.parts = append(s.parts, part)
		}
	}
	return s.parts
}

// ahead returns how many years the latest date in path and query lies ahead, 0 if it does not.
func (s *subject) ahead() int {
	_, latest := years(s.target)
	return max(0, latest-s.year)
}

// ago returns how many years the earliest date in path and query lies back, 0 if it does not.
func (s *subject) ago() int {
	earliest, _ := years(s.target)
	if earliest == 0 {
		return 0
	}
	return max(0, s.year-earliest)
}

// params returns the number of parameters in the query, which & or ; divide.
func (s *subject) params() int {
	_, query, _ := bytes.Cut(s.target, []byte("?"))
	if len(query) == 0 {
		return 0
	}
	return 1 + bytes.Count(query, []byte("&")) + bytes.Count(query, []byte(";"))
}
