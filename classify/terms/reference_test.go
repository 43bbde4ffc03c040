package terms

import (
	unescape "html"
	"slices"
	"strings"
	"testing"
	"unicode"

	"multitext/classify/html"
	"multitext/classify/testkit"
)

// reference finds the terms of a page in the plainest way.
func reference(page []byte, digits bool) []string {
	var all []string
	var l html.Lexer
	for l.Open(page, html.Shown); l.Next() == html.TextToken; {
		text, escaped := l.Text()
		s := strings.ReplaceAll(string(text), "\x00", " ") // an entity has it for U+FFFD
		if escaped {
			s = unescape.UnescapeString(s)
		}
		all = append(all, plainly(s, digits)...)
	}
	return all
}

func plainly(text string, digits bool) []string {
	var parted strings.Builder
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
			unicode.Myanmar):
			parted.WriteByte(' ')
			if unicode.IsLetter(r) || digits && unicode.IsDigit(r) {
				parted.WriteString(string(r) + " ")
			}
		case unicode.IsLetter(r), unicode.IsMark(r), digits && unicode.IsDigit(r):
			parted.WriteRune(unicode.ToLower(r))
		case unicode.Is(unicode.Cf, r):
		default:
			parted.WriteByte(' ')
		}
	}
	var all []string
	for _, word := range strings.Fields(parted.String()) {
		if word = strings.TrimLeftFunc(word, unicode.IsMark); word != "" && len(word) <= Longest {
			all = append(all, word)
		}
	}
	return all
}

func compare(t *testing.T, page []byte) {
	for _, digits := range []bool{false, true} {
		got, want := words(&Splitter{Digits: digits}, string(page)), reference(page, digits)
		if !slices.Equal(got, want) {
			i := 0
			for i < min(len(got), len(want)) && got[i] == want[i] {
				i++
			}
			t.Errorf("digits %v: terms from the %dth on: %.10q, want %.10q", digits, i, got[i:], want[i:])
		}
	}
}

// TestRealPages holds the splitter to the plainest way on pages as they are.
func TestRealPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	testkit.Pages(t, 40, func(_ string, page []byte) bool {
		compare(t, page)
		return !t.Failed()
	})
}

// FuzzHTML does so at any bytes.
func FuzzHTML(f *testing.F) {
	for _, page := range []string{
		"", "&", "&#", "&#x41", "&amp", "&ampx;", "&notit;", "a&nbspb", "&#1632;2", "<title>a</b>&amp;</title>b",
		"<xmp>a<b>&amp;</xmp>c",
		"<plaintext>a<b>&amp;", "<iframe>a</iframe>b", "<noscript><b>a</noscript>b", "a\x00b", "\xc3", "e\u0301",
		"\u0301a", "a\u00ad\u0301b", "4th 3.14 \u0e14\u0e51",
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) { compare(t, page) })
}
