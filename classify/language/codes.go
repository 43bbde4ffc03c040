package language

import (
	"bytes"
	"slices"
)

// Codes returns the ISO 639-1 codes of all languages that an identifier of this program may return,
// sorted.
func Codes() []string {
	var codes []string
	for line := range bytes.Lines(profiles) {
		if code, _, _ := bytes.Cut(line, []byte(" ")); isName(string(code)) {
			codes = append(codes, string(code))
		}
	}
	return slices.Compact(codes)
}
