package judge

import (
	"fmt"
	"math"
	"strings"

	"multitext/classify/language"
)

// English is the language that the classifiers know.
const English = "en"

// The methods that tell English from other languages.
const (
	TwoStep = "twostep" // the list of words, and n-grams where it leaves a doubt
	Words   = "words"   // the thesis's: the list of words alone
	NGrams  = "ngrams"  // n-grams of letters alone
)

// Methods are the names of all.
func Methods() []string { return []string{TwoStep, Words, NGrams} }

// identifier makes the one of that method; nil where none is wanted.
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
	return nil, fmt.Errorf("%.40q is none of the methods %s", method, strings.Join(Methods(), ", "))
}

// wordList is the thesis's identifier. Where a name is wanted for what the list does not know,
// n-grams give it.
func wordList(named bool) (language.Identifier, error) {
	words, err := language.English()
	if err != nil || !named {
		return words, err
	}
	ngrams, err := language.Languages()
	always := math.Inf(1)
	return &language.TwoStep{Words: words, NGrams: ngrams, English: language.Cutoff, Foreign: always, Name: true}, err
}
