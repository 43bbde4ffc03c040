// Package suggest finds the word that a user probably meant.
package suggest

import "fmt"

const maxText = 100

// Hint returns `; did you mean "X"?` for the name that is most similar to text, or "" if none is
// similar.
func Hint(text string, names []string) string {
	if len(text) > maxText {
		return "" // no name is this long, and the cost of distance is quadratic
	}
	best, least := "", 3
	for _, name := range names {
		if d := distance(text, name); d < least && d < len(name) {
			best, least = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// distance returns the edit distance of a and b (Levenshtein), in bytes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
