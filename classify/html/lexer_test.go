package html

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"multitext/classify/testkit"
)

// everySite is which of the 12,000 real pages the lexer is tried on.
var everySite = flag.Int("every-site", 40,
	"compare the lexer with the tokenizer on every `N`th page of real sites; 1 takes minutes")

// TestLexer compares the lexer with the tokenizer of x/net/html at what is easily mistaken.
func TestLexer(t *testing.T) {
	for _, page := range markup {
		compareTokens(t, []byte(page))
	}
	for _, piece := range []string{"<", "</", "<!", "<!--", "--!", "</titl", "<!--<script></scrip", "<![CDATA[",
		"<a b='"} {
		for _, before := range []string{"", "<!--", "<title>", "<script>", "<svg>"} {
			compareTokens(t, []byte(before+strings.Repeat(piece, 300)))
		}
	}
}

// TestRealPages compares the lexer with the tokenizer on real pages of all sites.
func TestRealPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	testkit.Pages(t, *everySite, func(_ string, page []byte) bool {
		compareTokens(t, page)
		return !t.Failed()
	})
}

// FuzzLexer compares it with the tokenizer at any bytes.
func FuzzLexer(f *testing.F) {
	for _, page := range markup {
		f.Add([]byte(page))
	}
	f.Fuzz(compareTokens)
}

// markup is pieces of pages, plain and odd.
var markup = []string{
	`<!DOCTYPE html><html lang=en><head><title>a &amp; b</title></head><body><p class="x" ID=y role='z'>text &copy; <b>bold</b></p></body></html>`,
	`<A HREF='x'><a href = "y" title=z><a href=z/><a href="a"b=c><a / href=/><a href/src=x><a =href=x><a ==x><a href=><a href= >`,
	`<a href=a href=b HREF=c><a href href=b><a href="" href=b><img srcset="" src='' alt><a hre` + "\x00" +
		`f=x href=y>`,
	"<a\thref\n=\r\f'x\r\ny\rz' ><a href=x\x00y><a\x00 href=x><a b\x00=c>a\x00b\rc\r\nd",
	`<a href="?a=1&amp;b=2&copy=3&copy;=4&copy4&notit;&not;&notin;&amp&ampx&#38;&#x26;&#x26&#38x&#xg&#;&#&;&&#0;&#128;&#55296;&#9999999999;&fjlig;&semi;&nGt;&acE;&CounterClockwiseContourIntegral;">`,
	`<a href=&><a href=&amp><a href='&#x'><a href="&lt"><a href="&lt;="><a href="&lt="><a href="&#60=">&lt &ltx &notit; &#0;`,
	`<script>a<b></script ><script/>x</scriptx></SCRIPT/><script></script><script>"<!--<script>"</script></script>--></script><a>`,
	`<script><!-- x </script>y<script><!--<script></script>--></script>z<script><!--<!</script><b><script><!-- < </script>`,
	`<style><a></style><xmp><b></xmp><iframe><c></iframe><textarea>` + "\x00\r" +
		`&lt;</textarea><title>&lt;</titl></title x="</title>">`,
	`<noscript><a></noscript><noembed><a></noembed><noframes><a></noframes><plaintext><a></plaintext>`,
	`<!--><a><!---><a><!----><a><!--x--><a><!--x--!><a><!--!><a>--><!--x->--><a><!--x--!-><a>--!><a><!-- --!--><a><!--->-->`,
	`<!x><a><!><a><!-><a><![CDATA[<a>]]><?x><a><?><a></><a></ a><a></3><a><3<a><<a></a b='>'></a/></a x=">`,
	`<a hr@f="x" href='y'z="q"><a HREF="A"href='b'><ABCDEFGH hrefhref="x"><a longname="x" href="y>"></b c=">"></ab="x>"><h1 href="é" src='>' name="x"<b href="x>`,
	`</b b="><a href=x>"><a href=y></b =><a href=z>`, `<a><noscript`, `<a abcdefgh`, `<a abcdefg=`,
	`<a =">0123456789abcdef<a href=x><a =' href="y">0123456789abcdef`,
	`<a href "x" src/"y" data>"z" alt="0123456789abcdef>"><a href="x>0123456789abcdef`, `<a abcdefghi`, `<a abcdefghij`,
	`<a abcdefgh="`, `<a abcdefgh=""`, `<a href="x"`,
	`a<`, `a</`, `a<!`, `a<!-`, `a<!--`, `a<!--x--`, `a<?`, `a<a`, `a<a `, `a<a b`, `a<a b=`, `a<a b='`, `a<a b=c`,
	`a</a`, `a</a `, `<title>a`, `<title>`, `<script>a<!--`, `<title></title`,
}

// nothing is what lexed and tokenized give after the name of a tag without values that matter.
var nothing = fmt.Sprintf(" %q", [attributes]string{})

// compareTokens fails where the lexer gives other tokens than the tokenizer, or where it leaves out
// others than the mode says. Nothing may be read after the page: there is nothing.
func compareTokens(t *testing.T, page []byte) {
	compareIn(t, page, 0)
	compareIn(t, page, Shown)
	compareIn(t, page, AllMarkup)
	compareIn(t, page, Classes)
}

// compareIn compares all tokens with the tokenizer's, and those that the mode wants with these.
func compareIn(t *testing.T, page []byte, mode Mode) {
	some := new(Lexer)
	some.Open(slices.Clip(bytes.Clone(page)), mode)
	l, z := new(Lexer), html.NewTokenizer(bytes.NewReader(page))
	l.Open(slices.Clip(bytes.Clone(page)), mode|Texts)
	lastTag := ""
	for n := 0; ; n++ {
		z.AllowCDATA(l.hasCDATA())
		got, want := lexed(l), fromTokenizer(z, l)
		if !strings.HasPrefix(got, "text") {
			lastTag = got
		}
		if got != want {
			t.Fatalf("token %d of %.2000q:\n got %s\nwant %s", n, page, got, want)
		}
		if got == "end" || isWanted(got, lastTag, mode) {
			got := lexed(some)
			for strings.HasSuffix(got, nothing) { // its attributes are empty
				got = lexed(some)
			}
			if got != want {
				t.Fatalf("token %d of %.2000q, in mode %d:\n got %s\nwant %s", n, page, mode, got, want)
			}
		}
		if got == "end" {
			return
		}
	}
}

// isWanted reports whether a mode without Texts gives a token, before which stands that tag.
func isWanted(token, lastTag string, mode Mode) bool {
	if mode != Shown {
		return strings.HasPrefix(token, "start") && !strings.HasSuffix(token, nothing)
	}
	begun := strings.Fields(strings.TrimPrefix(lastTag, "start ") + " none")[0]
	hides := []string{`"script"`, `"style"`, `"noscript"`, `"iframe"`, `"noembed"`, `"noframes"`}
	return strings.HasPrefix(token, "text") && !(strings.HasPrefix(lastTag, "start ") && slices.Contains(hides, begun))
}

// lexed returns the lexer's next token in words.
func lexed(l *Lexer) string {
	switch l.Next() {
	case TextToken:
		return fmt.Sprintf("text %q", l.DecodedText(len(l.text)))
	case StartTag:
		var values [attributes]string
		for a := range attributes {
			values[a] = string(l.Attr(a))
		}
		return fmt.Sprintf("start %q %q", known(l.Name()), values)
	case EndTag:
		return fmt.Sprintf("end %q", known(l.Name()))
	}
	return "end"
}

// fromTokenizer returns the tokenizer's next token in the same words. Of SVG, MathML and templates
// it knows nothing: it is told what the lexer found, which TestForeign compares with the parser.
func fromTokenizer(z *html.Tokenizer, l *Lexer) string {
	for {
		switch z.Next() {
		case html.TextToken:
			if text := z.Text(); len(text) > 0 {
				return fmt.Sprintf("text %q", text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			name := known(tag)
			markup := l.mode&Shown == 0 && (name == "noscript" || name == "noframes" || name == "noembed")
			if markup || l.foreign || l.mode&AllMarkup != 0 {
				z.NextIsNotRawText()
			}
			return fmt.Sprintf("start %q %q", name, values(z, more && l.mode&Shown == 0, l.mode))
		case html.EndTagToken:
			name, _ := z.TagName()
			return fmt.Sprintf("end %q", known(name))
		case html.ErrorToken:
			return "end"
		}
	}
}

// values gives the attributes of the tokenizer's tag that matter.
func values(z *html.Tokenizer, more bool, mode Mode) (values [attributes]string) {
	names := attributeNames[:Class]
	if mode&Classes != 0 {
		names = attributeNames[:]
	}
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if a := slices.Index(names, string(key)); a >= 0 {
			values[a] = string(value)
		}
	}
	return values
}

// known leaves out names that are none of those that matter: long ones, which the lexer does not
// give, and those with NUL, which the tokenizer spells U+FFFD.
func known(name []byte) string {
	if len(name) > maxName || bytes.ContainsAny(name, "\x00\uFFFD") {
		return ""
	}
	return string(name)
}
