package language

import (
	"fmt"
	"io"
	"iter"
	"strings"
)

// Cutoff is the thesis's K: the share of known terms that a page must exceed.
const Cutoff = 0.5

// WordList knows a language by its words (thesis 4.4.3). With
//
//	E(w) = 1 if w, or w without its last s, is in the list, 0 otherwise   (4.1)
//	Pr(δ) = Σ E(w) / |δ| over the terms w of the page δ                   (4.2)
//
// the page δ is of the language if Pr(δ) > Cutoff. The score is Pr(δ), whatever the language; that of a page without
// terms is 0.
type WordList struct {
	Cutoff float64

	language string
	words    map[string]struct{}
}

// ReadWords reads a list of the words of a language, one a line, in any case and order. Empty lines pass, and so do
// words with other signs than letters in them, as none of these is ever a term.
func ReadWords(r io.Reader, language string) (*WordList, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read the words of %q: %w", language, err)
	}
	const usual = 8 // bytes of a word
	l := &WordList{Cutoff: Cutoff, language: language, words: make(map[string]struct{}, len(all)/usual)}
	for line := range strings.Lines(strings.ToLower(string(all))) {
		if word := strings.TrimSpace(line); word != "" {
			l.words[word] = struct{}{}
		}
	}
	if len(l.words) == 0 {
		return nil, fmt.Errorf("read the words of %q: there are none", language)
	}
	return l, nil
}

// Len is the number of distinct words in the list.
func (l *WordList) Len() int { return len(l.words) }

// Identify tells whether the terms are of the language of the list.
func (l *WordList) Identify(terms iter.Seq[[]byte]) Guess {
	known, all := 0, 0
	for term := range terms {
		if all++; l.knows(term) {
			known++
		}
	}
	if all == 0 {
		return Guess{}
	}
	g := Guess{Score: float64(known) / float64(all)}
	if g.Score > l.Cutoff {
		g.Language = l.language
	}
	return g
}

func (l *WordList) knows(term []byte) bool {
	if _, ok := l.words[string(term)]; ok {
		return true
	}
	if last := len(term) - 1; last > 0 && term[last] == 's' {
		_, ok := l.words[string(term[:last])]
		return ok
	}
	return false
}
