package robots

import "strings"

// match reports whether the normalized path begins with the normalized pattern, in
// which "*" stands for any bytes and a "$" at the end for the end of the path.
//
// It takes the leftmost place for each piece between two stars, which finds a match
// if there is one, and so never goes back: a hostile pattern costs no more than one
// pass over the path. (The parser's own Matches needs the product of both lengths;
// it is the oracle in the tests.)
func match(pattern, path string) bool {
	pattern, toEnd := strings.CutSuffix(pattern, "$")
	head, rest, stars := strings.Cut(pattern, "*")
	if !strings.HasPrefix(path, head) {
		return false
	}
	path = path[len(head):]
	for stars {
		var piece string
		piece, rest, stars = strings.Cut(rest, "*")
		if !stars && toEnd {
			return strings.HasSuffix(path, piece)
		}
		i := strings.Index(path, piece)
		if i < 0 {
			return false
		}
		path = path[i+len(piece):]
	}
	return !toEnd || path == ""
}
