package robots

import "strings"

// A pattern is a normalized pattern, taken apart: "*" stands for any bytes and a "$" at the end for
// the end of the path.
type pattern struct {
	size  int    // bytes of the pattern as it was written: the longest decides
	head  string // in front of the first star
	star  bool
	rest  string // behind the first star
	toEnd bool
}

func newPattern(s string) pattern {
	p := pattern{size: len(s)}
	s, p.toEnd = strings.CutSuffix(s, "$")
	p.head, p.rest, p.star = strings.Cut(s, "*")
	return p
}

// match reports whether the normalized path begins with p.
//
// It takes the leftmost place for each piece between two stars, which finds a match if there is
// one, and so never goes back: a hostile pattern costs no more than one skip the path.
func (p *pattern) match(path string) bool {
	path, ok := strings.CutPrefix(path, p.head)
	if !ok {
		return false
	}
	rest, stars := p.rest, p.star
	for stars {
		var piece string
		piece, rest, stars = strings.Cut(rest, "*")
		if !stars && p.toEnd {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !p.toEnd || path == ""
}
