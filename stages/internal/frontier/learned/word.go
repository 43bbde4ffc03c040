package learned

import (
	"bytes"
	"strconv"
	"unicode"
)

// isOfWord tells whether r is part of a word.
func isOfWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// word is the feature of a word: in lower case, of a number with more than three digits how many
// they are.
func word(text []byte) []byte {
	digits := 0
	for _, b := range text {
		if b >= '0' && b <= '9' {
			digits++
		}
	}
	if digits == len(text) && digits > 3 {
		return strconv.AppendInt([]byte{'#'}, int64(digits), 10)
	}
	return bytes.ToLower(text[:min(len(text), maxWord)])
}
