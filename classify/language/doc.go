// Package language determines the language of a page from its terms. Three identifiers implement
// one interface:
//
//   - WordList is the method of the thesis (4.4.3): a page is English if more than half of its
//     terms are in a list of words. It distinguishes only English and not English.
//   - NGrams compares the most frequent n-grams of characters with profiles of languages (Cavnar
//     and Trenkle 1994, which the thesis cites as [3]). It returns the name of the language.
//   - TwoStep uses WordList first, and NGrams if the result is in doubt. It is nearly as fast as
//     WordList and as accurate as NGrams.
//
// Languages are named by ISO 639-1, for instance "en". "" is a language that the identifier does
// not know.
package language

import "multitext/classify/terms"

// A Guess is the result of an identifier for a page.
type Guess struct {
	Language string  // ISO 639-1, or "" if it is none of the known languages
	Score    float64 // from 0 to 1; each identifier defines its meaning
}

// An Identifier determines the language of a page from its terms. It must be used by one goroutine
// at a time.
type Identifier interface {
	Identify(page *terms.Document) Guess
}
