package script

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean returns a hint with the known name that is most similar to what was written, or "" if
// none is similar.
func DidYouMean(written string, known []string) string {
	if near := nearest(written, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// nearest returns the known name that is most similar to what was written, or "" if none is similar
// enough. Of equally similar names it returns the first.
func nearest(written string, known []string) string {
	if len(written) > 100 {
		return "" // no name is so long, and the time grows with the square of the length
	}
	best, found := max(1, len(written)/3)+1, ""
	for _, name := range slices.Sorted(slices.Values(known)) {
		d := distance(strings.ToLower(written), strings.ToLower(name))
		if d < best && d < len(name) {
			best, found = d, name
		}
	}
	return found
}

// distance returns how many insertions, deletions, replacements and swaps of neighbouring bytes
// turn a into b (optimal string alignment).
func distance(a, b string) int {
	before, last := []int(nil), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 0
			if a[i-1] != b[j-1] {
				change = 1
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// list joins names in a message: a, b and c.
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
