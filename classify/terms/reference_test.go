package terms

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"
)

// reference finds the terms of a page by the tokenizer of x/net/html, and in the plainest way.
func reference(page []byte) []string {
	var all []string
	z := html.NewTokenizer(bytes.NewReader(page))
	shown := true
	for {
		switch z.Next() {
		case html.ErrorToken:
			return all
		case html.TextToken:
			if shown {
				all = append(all, plainly(string(z.Text()))...)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			shown = !slices.Contains([]string{"script", "style", "noscript", "iframe", "noembed", "noframes"}, string(name))
		case html.EndTagToken:
			shown = true
		}
	}
}

func plainly(text string) []string {
	var parted strings.Builder
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
			parted.WriteByte(' ')
			if unicode.IsLetter(r) {
				parted.WriteString(string(r) + " ")
			}
		case unicode.IsLetter(r), unicode.IsMark(r):
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
	got, want := words(new(Splitter), string(page)), reference(page)
	if !slices.Equal(got, want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("terms from the %dth on: %.10q, want %.10q", i, got[i:], want[i:])
	}
}

// FuzzHTML holds the scanner to the tokenizer of x/net/html.
func FuzzHTML(f *testing.F) {
	for _, page := range []string{
		"", "<", "<a", "</", "<!", "<!-", "<!--", "<a b", "<a b=", `<a b="`, "&", "&#", "&#x41", "&amp", "&ampx;", "&notit;",
		"<script", "<script>", "<script></script", "<script></script>x", "<script/>x</script>y", "<ScRiPt>a</sCrIpT >b",
		"<script><!--<script></script>x--></script>y", "<script><!--></script>x", "<script><!-- </script>x",
		"<script><!-- a < b <script>c</script>d</script>e", "<title>a</b>&amp;</title>b", "<title>a</title", "<textarea/>a</textarea>b",
		"<!-->a", "<!--->a", "<!---->a", "<!---!>a-->b", "<!----!>a", "<!----!-->a", "<!-- --!-->a", "<!>a", "<!a>b", "<?a>b", "</>a", "</1>a",
		"<a b = 'c>d' e>f", "<a =\"b>c\">d", "<a b==c>d", "<a/b/>c", "<a / = \"b>c\">d", "<a b\"c>d\">e", "<a\x00b>c", "<a b='c", "<p/a>b",
		"<xmp>a<b>&amp;</xmp>c", "<plaintext>a<b>&amp;", "<iframe>a</iframe>b", "<noscript><b>a</noscript>b", "a\x00b", "\xc3", "e\u0301", "\u0301a", "a\u00ad\u0301b",
	} {
		f.Add([]byte(page))
	}
	f.Fuzz(func(t *testing.T, page []byte) { compare(t, page) })
}
