package language

import "unicode/utf8"

// gram is up to three characters of a term, 21 bits each, the last one lowest. A blank stands for the begin and the end
// of the term.
type gram uint64

const longestGram = 3

// eachGram calls do with the 1-, 2- and 3-grams of a term: those of "_term_", but for the blank alone. Where each character
// is a term, as in Chinese, the character is all: its UTF-8 has three bytes or more, which single letters elsewhere have not.
func eachGram(term []byte, do func(gram)) {
	if r, size := utf8.DecodeRune(term); size == len(term) && size >= 3 {
		do(gram(r))
		return
	}
	const mask2, mask3 = 1<<42 - 1, 1<<63 - 1
	window, n := gram(' '), 1
	step := func(r rune) {
		window = (window<<21 | gram(r)) & mask3
		if n++; n >= longestGram {
			do(window)
		}
		do(window & mask2)
	}
	for len(term) > 0 {
		r, size := rune(term[0]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(term)
		}
		step(r)
		do(gram(r))
		term = term[size:]
	}
	step(' ')
}

// String is the gram as a profile has it, with '_' for the blank.
func (g gram) String() string {
	var s []byte
	for shift := 42; shift >= 0; shift -= 21 {
		switch r := rune(g >> shift & (1<<21 - 1)); r {
		case 0:
		case ' ':
			s = append(s, '_')
		default:
			s = utf8.AppendRune(s, r)
		}
	}
	return string(s)
}

// parseGram is the gram that String wrote.
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
