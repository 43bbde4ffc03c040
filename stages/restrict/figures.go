package main

import "bytes"

// This file has the figures of a URL that rules compare. A canonical URL has few segments
// (canon.MaxSegments), so comparing each segment with each other one is cheaper than a table.

// segments returns the number of non-empty segments of the path.
func (s *subject) segments() int { return len(s.split()) }

// repeats returns how often the most frequent segment occurs in the path.
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

// split returns the non-empty segments of the path.
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

// ahead returns the number of years by which the latest date in path and query is in the future, or
// 0 if no date is.
func (s *subject) ahead() int {
	_, latest := years(s.target)
	return max(0, latest-s.year)
}

// ago returns the number of years by which the earliest date in path and query is in the past, or 0
// if no date is.
func (s *subject) ago() int {
	earliest, _ := years(s.target)
	if earliest == 0 {
		return 0
	}
	return max(0, s.year-earliest)
}

// params returns the number of parameters in the query. They are separated by & or ;.
func (s *subject) params() int {
	_, query, _ := bytes.Cut(s.target, []byte("?"))
	if len(query) == 0 {
		return 0
	}
	return 1 + bytes.Count(query, []byte("&")) + bytes.Count(query, []byte(";"))
}
