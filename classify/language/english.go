package language

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/klauspost/compress/gzip"
)

// englishWords is 41,151 English words in lower case, sorted, one a line; the list of the thesis
// had 45,402.
//
// They are the words of ASCII letters alone in Debian's packages wamerican-small and
// wbritish-small, 2020.12.07-2, once each. These are levels 10 to 35 of SCOWL, the Spell Checker
// Oriented Word Lists, copyright 2000-2011 by Kevin Atkinson, who lets them be used, copied,
// modified, distributed and sold for any purpose as long as his notice goes with them: it stands in
// english.COPYRIGHT, with those of the lists that SCOWL draws on.
//
//go:embed english.txt.gz
var englishWords []byte

// English returns the list of English words that is part of the program.
func English() (*WordList, error) {
	z, err := gzip.NewReader(bytes.NewReader(englishWords))
	if err != nil {
		return nil, fmt.Errorf("unpack the list of English words: %w", err)
	}
	return ReadWords(z, "en")
}
