package language

import (
	"bytes"
	"slices"
)

// Codes are the languages that an identifier of this program may name, by their codes in ISO 639-1,
// in order.
func Codes() []string {
	var codes []string
	for line := range bytes.Lines(profiles) {
		if code, _, _ := bytes.Cut(line, []byte(" ")); isName(string(code)) {
			codes = append(codes, string(code))
		}
	}
	return slices.Compact(codes)
}
