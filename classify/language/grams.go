package language

import "unicode/utf8"

// A gram is up to three characters of a term, 21 bits each, the last character in the lowest bits.
// A blank stands for the beginning and the end of the term.
type gram uint64

const longestGram = 3

// appendGrams appends the 1-, 2- and 3-grams of a term to to. These are the n-grams of "_term_",
// except the blank alone. If each character is a term, as in Chinese, appendGrams appends only the
// character. It recognizes such a character by its length: in UTF-8 it has three bytes or more, and
// single letters of other scripts have fewer.
func appendGrams(to []gram, term []byte) []gram {
	if r, size := utf8.DecodeRune(term); size == len(term) && size >= 3 {
		return append(to, gram(r))
	}
	const mask2, mask3 = 1<<42 - 1, 1<<63 - 1
	window := gram(' ')
	for i := 0; i < len(term); {
		r, size := utf8.DecodeRune(term[i:])
		window = window<<21 | gram(r)
		if i > 0 {
			to = append(to, window&mask3)
		}
		to = append(to, window&mask2, gram(r))
		i += size
	}
	window = window<<21 | ' '
	return append(to, window&mask3, window&mask2)
}

// parseGram parses a gram in the format of a profile, with '_' for the blank.
func parseGram(s string) (g gram, ok bool) {
	n := 0
	for _, r := range s {
		switch r {
		case 0:
			return 0, false
		case '_':
			r = ' '
		}
		g = g<<21 | gram(r)
		n++
	}
	return g, 0 < n && n <= longestGram
}
