package language

import (
	"sort"
	"unicode/utf8"

	"multitext/classify/terms"
)

// A script is a writing system, or a group of writing systems that one language uses together. It
// does not determine the language: many languages are written in Cyrillic.
type script int

const (
	none script = iota
	latin
	greek
	cyrillic
	armenian
	hebrew
	arabic
	ethiopic
	devanagari
	bengali
	gurmukhi
	gujarati
	tamil
	telugu
	kannada
	malayalam
	sinhala
	thai
	lao
	burmese
	georgian
	khmer
	hangul
	chinese // with Kana, because Japanese uses both
	scripts // the number of scripts
)

// blocks maps the beginnings of Unicode ranges to scripts, for letters with which terms begin.
var blocks = []struct {
	from rune
	script
}{
	{0, latin}, {0x0370, greek}, {0x0400, cyrillic}, {0x0530, armenian}, {0x0590, hebrew},
	{0x0600, arabic}, {0x0780, none}, {0x0900, devanagari}, {0x0980, bengali}, {0x0a00, gurmukhi}, {0x0a80, gujarati},
	{0x0b00, none}, {0x0b80, tamil}, {0x0c00, telugu}, {0x0c80, kannada}, {0x0d00, malayalam}, {0x0d80, sinhala},
	{0x0e00, thai}, {0x0e80, lao}, {0x0f00, none}, {0x1000, burmese}, {0x10a0, georgian}, {0x1100, hangul},
	{0x1200, ethiopic}, {0x13a0, none}, {0x1780, khmer}, {0x1800, none}, {0x1e00, latin}, {0x1f00, greek},
	{0x2000, none}, {0x3005, chinese}, {0x3130, hangul}, {0x3190, none}, {0x3400, chinese}, {0xa000, none},
	{0xac00, hangul}, {0xd7b0, none}, {0xf900, chinese}, {0xfb00, none}, {0xff66, chinese}, {0xffa0, none},
}

// scriptOf returns the script of a term, according to its first letter.
func scriptOf(term []byte) script {
	if term[0] < utf8.RuneSelf {
		return latin
	}
	r, _ := utf8.DecodeRune(term)
	return blocks[sort.Search(len(blocks), func(i int) bool { return blocks[i].from > r })-1].script
}

// scriptOfMost returns the script of most of the page's terms. Terms in other scripts than Latin
// count twice.
func scriptOfMost(page *terms.Document) script {
	var written [scripts]int
	for i := range page.Len() {
		term, times := page.Term(i)
		written[scriptOf(term)] += times
	}
	best, most := latin, written[latin]
	for s := latin + 1; s < scripts; s++ {
		if 2*written[s] > most {
			best, most = s, 2*written[s]
		}
	}
	return best
}
