package language

import "multitext/classify/terms"

// TwoStep asks the word list, which costs next to nothing, and the n-grams only where that leaves a
// doubt: between Foreign and English, as a share of known terms. Its score is that of the one that
// decided.
type TwoStep struct {
	Words   *WordList
	NGrams  *NGrams
	English float64 // above this share a page is of the language of Words
	Foreign float64 // below this one it is not
	Name    bool    // the n-grams tell the name of the language also where there is no doubt that it is another
}

// NewTwoStep is a TwoStep of the identifiers that come with the program. Of the pages in
// testdata/pages.tsv, none that is English has a share below 0.4, and no other one above 0.45: the
// doubt begins well before.
func NewTwoStep(name bool) (*TwoStep, error) {
	words, err := English()
	if err != nil {
		return nil, err
	}
	ngrams, err := Languages()
	if err != nil {
		return nil, err
	}
	return &TwoStep{Words: words, NGrams: ngrams, English: 0.6, Foreign: 0.25, Name: name}, nil
}

// Identify tells the language of the page, or "" if it is another than that of the words and is not
// to be named.
func (s *TwoStep) Identify(page *terms.Document) Guess {
	known := s.Words.Identify(page).Score
	switch {
	case page.Total() == 0:
		return Guess{}
	case known > s.English:
		return Guess{s.Words.language, known}
	case known >= s.Foreign:
		return s.NGrams.Identify(page)
	case s.Name:
		if g := s.NGrams.Identify(page); g.Language != s.Words.language {
			return g
		}
	}
	return Guess{"", known}
}
