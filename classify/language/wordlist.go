package language

import (
	"fmt"
	"io"
	"strings"

	"multitext/classify/internal/index"
	"multitext/classify/terms"
)

// Cutoff is the thesis's K: the share of known terms that a page must exceed.
const Cutoff = 0.5

// WordList knows a language by its words (thesis 4.4.3). With
//
//	E(w) = 1 if w, or w without its last s, is in the list, 0 otherwise   (4.1)
//	Pr(δ) = Σ E(w) / |δ| over the terms w of the page δ                   (4.2)
//
// the page δ is of the language if Pr(δ) > Cutoff. The score is Pr(δ), whatever the language; that
// of a page without terms is 0.
type WordList struct {
	Cutoff float64

	language string
	words    index.Index // by terms.Hash
}

// ReadWords reads a list of the words of a language, one a line, in any case and order. It skips
// empty lines and words with characters that are not letters, because such a word is never a term.
func ReadWords(r io.Reader, language string) (*WordList, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read the words of %q: %w", language, err)
	}
	l := &WordList{Cutoff: Cutoff, language: language}
	for line := range strings.Lines(strings.ToLower(string(all))) {
		if word := strings.TrimSpace(line); word != "" {
			l.words.Put(terms.Hash([]byte(word)), 0)
		}
	}
	if l.words.Len() == 0 {
		return nil, fmt.Errorf("read the words of %q: there are none", language)
	}
	return l, nil
}

// Len returns the number of distinct words in the list.
func (l *WordList) Len() int { return l.words.Len() }

// Identify determines whether the page is in the language of the list.
func (l *WordList) Identify(page *terms.Document) Guess {
	if page.Total() == 0 {
		return Guess{}
	}
	known := 0
	for i := range page.Len() {
		if l.knows(page, i) {
			_, count := page.Hashed(i)
			known += int(count)
		}
	}
	g := Guess{Score: float64(known) / float64(page.Total())}
	if g.Score > l.Cutoff {
		g.Language = l.language
	}
	return g
}

// knows returns E of the i-th of the page's different terms.
func (l *WordList) knows(page *terms.Document, i int) bool {
	hash, _ := page.Hashed(i)
	if l.words.Has(hash) {
		return true
	}
	term, _ := page.Term(i)
	if last := len(term) - 1; last > 0 && term[last] == 's' {
		return l.words.Has(terms.Hash(term[:last]))
	}
	return false
}
