package judge

import (
	"fmt"
	"math"
	"strings"

	"multitext/classify/language"
)

// English is the language of the classifiers.
const English = "en"

// The methods that distinguish English from other languages.
const (
	TwoStep = "twostep" // the word list, and n-grams in doubtful cases
	Words   = "words"   // the word list alone, as in the thesis
	NGrams  = "ngrams"  // n-grams of letters alone
)

// Methods returns the names of all methods.
func Methods() []string { return []string{TwoStep, Words, NGrams} }

// identifier returns the identifier for a method, or nil for "".
func identifier(method string, named bool) (language.Identifier, error) {
	switch method {
	case "":
		return nil, nil
	case TwoStep:
		return language.NewTwoStep(named)
	case NGrams:
		return language.Languages()
	case Words:
		return wordList(named)
	}
	return nil, fmt.Errorf("unknown method %.40q; known are %s", method, strings.Join(Methods(), ", "))
}

// wordList returns the thesis's identifier. If named is set, n-grams name the languages that the
// list does not contain.
func wordList(named bool) (language.Identifier, error) {
	words, err := language.English()
	if err != nil || !named {
		return words, err
	}
	ngrams, err := language.Languages()
	always := math.Inf(1)
	return &language.TwoStep{Words: words, NGrams: ngrams, English: language.Cutoff, Foreign: always, Name: true}, err
}
