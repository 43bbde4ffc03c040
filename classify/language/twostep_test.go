package language

import (
	"strings"
	"testing"
)

// TestTwoStep: of ten terms so many are in the list; the n-grams hold all of them for yy, but for
// "yes", which is of xx.
func TestTwoStep(t *testing.T) {
	ngrams, err := ReadNGrams(strings.NewReader("profiles 1\nyy o w r\nxx y e s\n"))
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadWords(strings.NewReader("wow\nyes\n"), "xx")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		what, in, out string
		n             int // of in, among ten terms
		name          bool
		want          string
		score         float64 // that of the word list, or 0 if the n-grams decide
	}{
		{"sure", "wow", "row", 8, false, "xx", 0.8},
		{"not above English", "wow", "row", 6, false, "yy", 0},
		{"in doubt", "wow", "row", 5, false, "yy", 0},
		{"in doubt, and the n-grams agree", "yes", "yess", 3, false, "xx", 1},
		{"on Foreign", "wow", "row", 3, false, "yy", 0},
		{"foreign", "wow", "row", 2, false, "", 0.2},
		{"foreign, by name", "wow", "row", 2, true, "yy", 0},
		{"foreign, by a name that it can not be", "yes", "ey", 2, true, "", 0.2},
	} {
		s := &TwoStep{Words: list, NGrams: ngrams, English: 0.6, Foreign: 0.3, Name: c.name}
		got := s.Identify(said(strings.Repeat(c.in+" ", c.n) + strings.Repeat(c.out+" ", 10-c.n)))
		if got.Language != c.want || c.score > 0 && got.Score != c.score {
			t.Errorf("%s: %v, want %q at %v", c.what, got, c.want, c.score)
		}
	}
	if got := (&TwoStep{Words: list, NGrams: ngrams, Name: true}).Identify(said("")); got != (Guess{}) {
		t.Errorf("no page is %v", got)
	}
}
