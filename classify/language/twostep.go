package language

import "multitext/classify/terms"

// TwoStep first uses the word list, which takes very little time. It uses the n-grams only if the
// result is in doubt: if the share of known terms is between Foreign and English. Its score is the
// score of the identifier that decided.
type TwoStep struct {
	Words   *WordList
	NGrams  *NGrams
	English float64 // above this share a page is in the language of Words
	Foreign float64 // below this share it is not
	Name    bool    // the n-grams also name the language of a page that is certainly in another one
}

// NewTwoStep returns a TwoStep with the identifiers that are part of the program. Of the pages in
// testdata/pages.tsv, no English one has a share below 0.4, and no other one has a share above
// 0.45. The range of doubt is wider than that.
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

// Identify returns the language of the page. It returns "" if the page is in another language than
// that of the words, and Name is not set.
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
