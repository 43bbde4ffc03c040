package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"multitext/classify/language"
	"multitext/classify/terms"
)

// An identifier is a way to tell the language, and its name in the table.
type identifier struct {
	language.Identifier
	name  string
	ascii bool // the thesis's brute force
	names bool // it knows more than English and not English
}

// identifiers are the thesis's, with the list that comes with the program and that of -words, and
// those of today.
func (l *lab) identifiers() (all []identifier, err error) {
	words, err := language.English()
	if err != nil {
		return nil, err
	}
	lists := []*language.WordList{words}
	for _, file := range strings.FieldsFunc(l.words, func(r rune) bool { return r == ',' }) {
		list, err := readWords(file)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	for _, list := range lists {
		for _, cutoff := range l.Language.Cutoffs {
			for _, ascii := range []bool{false, true} {
				at := *list
				at.Cutoff = cutoff
				name := fmt.Sprintf("%d words, K = %.1f", list.Len(), cutoff)
				if ascii {
					name += ", US-ASCII"
				}
				all = append(all, identifier{&at, name, ascii, false})
			}
		}
	}
	grams, err := language.Languages()
	if err != nil {
		return nil, err
	}
	steps, err := language.NewTwoStep(true)
	if err != nil {
		return nil, err
	}
	return append(all, identifier{grams, "n-grams", false, true}, identifier{steps, "two steps", false, true},
		identifier{backwards{words}, "the first list, words spelled backwards", false, false}), nil
}

func readWords(file string) (*language.WordList, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read a list of words: %w", err)
	}
	defer f.Close()
	list, err := language.ReadWords(f, "en")
	if err != nil {
		return nil, fmt.Errorf("read a list of words: %s: %w", file, err)
	}
	return list, nil
}

// backwards is the red control: it spells words backwards before it looks them up.
type backwards struct{ language.Identifier }

func (b backwards) Identify(page *terms.Document) language.Guess {
	var other terms.Document
	for i := range page.Len() {
		term, count := page.Term(i)
		runes := []rune(string(term))
		slices.Reverse(runes)
		for range count {
			other.Add([]byte(string(runes)))
		}
	}
	return b.Identifier.Identify(&other)
}
