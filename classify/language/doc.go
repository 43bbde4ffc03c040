// Package language tells the language of a page from its terms. Three identifiers stand behind one
// interface:
//
//   - WordList is the thesis's (4.4.3): a page is English if more than half of its terms stand in a
//     list of words. It knows English and not English.
//   - NGrams compares the most frequent n-grams of characters with profiles of languages (Cavnar
//     and Trenkle 1994, which the thesis cites as [3]). It names the language.
//   - TwoStep asks the first, and where that is in doubt the second: nearly as fast as the one, and
//     as good as the other.
//
// Languages are named by ISO 639-1, as "en"; "" is a language that the identifier does not know.
package language

import "multitext/classify/terms"

// A Guess is what an identifier holds of a page.
type Guess struct {
	Language string  // ISO 639-1, or "" for none of those known
	Score    float64 // from 0 to 1; each identifier says what it is
}

// An Identifier guesses the language of a page by its terms. It is for one goroutine.
type Identifier interface {
	Identify(page *terms.Document) Guess
}
