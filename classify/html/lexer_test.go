package html

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"multitext/classify/internal/settest"
)

// everySite is which of the 12,000 real pages the lexer is tried on.
var everySite = flag.Int("every-site", 40, "hold the lexer to the tokenizer on each of so many pages of real sites; 1 takes minutes")

// TestLexer holds the lexer to the tokenizer of x/net/html at what is easily mistaken.
func TestLexer(t *testing.T) {
	for _, page := range markup {
		compareTokens(t, []byte(page))
	}
	for _, piece := range []string{"<", "</", "<!", "<!--", "--!", "</titl", "<!--<script></scrip", "<![CDATA[", "<a b='"} {
		for _, before := range []string{"", "<!--", "<title>", "<script>", "<svg>"} {
			compareTokens(t, []byte(before+strings.Repeat(piece, 300)))
		}
	}
}

// TestRealPages holds the lexer to the tokenizer on real pages of all sites.
func TestRealPages(t *testing.T) {
	pages := 0
	settest.Pages(t, *everySite, func(_ string, page []byte) bool {
		compareTokens(t, page)
		pages++
		return !t.Failed()
	})
	if pages < 100 {
		t.Errorf("only %d pages", pages)
	}
}

// FuzzLexer holds it to the tokenizer at any bytes.
func FuzzLexer(f *testing.F) {
	for _, page := range markup {
		f.Add([]byte(page))
	}
	f.Fuzz(compareTokens)
}

// markup is pieces of pages, plain and odd.
var markup = []string{
	`<!DOCTYPE html><html lang=en><head><title>a &amp; b</title></head><body><p class="x">text &copy; <b>bold</b></p></body></html>`,
	`<A HREF='x'><a href = "y" title=z><a href=z/><a href="a"b=c><a / href=/><a href/src=x><a =href=x><a ==x><a href=><a href= >`,
	`<a href=a href=b HREF=c><a href href=b><a href="" href=b><img srcset="" src='' alt><a hre` + "\x00" + `f=x href=y>`,
	"<a\thref\n=\r\f'x\r\ny\rz' ><a href=x\x00y><a\x00 href=x><a b\x00=c>a\x00b\rc\r\nd",
	`<a href="?a=1&amp;b=2&copy=3&copy;=4&copy4&notit;&not;&notin;&amp&ampx&#38;&#x26;&#x26&#38x&#xg&#;&#&;&&#0;&#128;&#55296;&#9999999999;&fjlig;&semi;&nGt;&acE;&CounterClockwiseContourIntegral;">`,
	`<a href=&><a href=&amp><a href='&#x'><a href="&lt"><a href="&lt;="><a href="&lt="><a href="&#60=">&lt &ltx &notit; &#0;`,
	`<script>a<b></script ><script/>x</scriptx></SCRIPT/><script></script><script>"<!--<script>"</script></script>--></script><a>`,
	`<script><!-- x </script>y<script><!--<script></script>--></script>z<script><!--<!</script><b><script><!-- < </script>`,
	`<style><a></style><xmp><b></xmp><iframe><c></iframe><textarea>` + "\x00\r" + `&lt;</textarea><title>&lt;</titl></title x="</title>">`,
	`<noscript><a></noscript><noembed><a></noembed><noframes><a></noframes><plaintext><a></plaintext>`,
	`<!--><a><!---><a><!----><a><!--x--><a><!--x--!><a><!--!><a>--><!--x->--><a><!--x--!-><a>--!><a><!-- --!--><a><!--->-->`,
	`<!x><a><!><a><!-><a><![CDATA[<a>]]><?x><a><?><a></><a></ a><a></3><a><3<a><<a></a b='>'></a/></a x=">`,
	`<a hr@f="x" href='y'z="q"><a HREF="A"href='b'><ABCDEFGH hrefhref="x"><a longname="x" href="y>"></b c=">"></ab="x>"><h1 href="é" src='>' name="x"<b href="x>`,
	`</b b="><a href=x>"><a href=y></b =><a href=z>`, `<a><noscript`, `<a abcdefgh`, `<a abcdefg=`, `<a =">0123456789abcdef<a href=x><a =' href="y">0123456789abcdef`,
	`<a href "x" src/"y" data>"z" alt="0123456789abcdef>"><a href="x>0123456789abcdef`, `<a abcdefghi`, `<a abcdefghij`, `<a abcdefgh="`, `<a abcdefgh=""`, `<a href="x"`,
	`a<`, `a</`, `a<!`, `a<!-`, `a<!--`, `a<!--x--`, `a<?`, `a<a`, `a<a `, `a<a b`, `a<a b=`, `a<a b='`, `a<a b=c`, `a</a`, `a</a `, `<title>a`, `<title>`, `<script>a<!--`, `<title></title`,
}

// nothing is what lexed and tokenized give behind the name of a tag without values that matter.
var nothing = fmt.Sprintf(" %q", [attributes]string{})

// compareTokens fails where the lexer gives other tokens than the tokenizer, or other start tags with values if it is to
// pass over texts and end tags. Nothing may be read behind the page: there is nothing.
func compareTokens(t *testing.T, page []byte) {
	compareIn(t, page, Texts)
	compareIn(t, page, Texts|shown)
	compareIn(t, page, Texts|AllMarkup)
}

func compareIn(t *testing.T, page []byte, mode Mode) {
	tags := new(Lexer)
	tags.Open(slices.Clip(bytes.Clone(page)), mode&^Texts)
	l, z := new(Lexer), html.NewTokenizer(bytes.NewReader(page))
	l.Open(slices.Clip(bytes.Clone(page)), mode)
	for n := 0; ; n++ {
		z.AllowCDATA(l.hasCDATA())
		got, want := lexed(l), tokenized(z, l)
		if got != want {
			t.Fatalf("token %d of %.2000q:\n got %s\nwant %s", n, page, got, want)
		}
		if got == "end" || strings.HasPrefix(got, "start") && !strings.HasSuffix(got, nothing) {
			got := lexed(tags)
			for strings.HasSuffix(got, nothing) {
				got = lexed(tags)
			}
			if got != want {
				t.Fatalf("token %d of %.2000q, without texts:\n got %s\nwant %s", n, page, got, want)
			}
		}
		if got == "end" {
			return
		}
	}
}

// lexed gives the lexer's next token in words.
func lexed(l *Lexer) string {
	switch l.Next() {
	case TextToken:
		return fmt.Sprintf("text %q", l.DecodedText(len(l.text)))
	case StartTag:
		return fmt.Sprintf("start %q %q", known(l.Name()), decoded(&l.tag))
	case EndTag:
		if l.mode&shown != 0 {
			return "end tag"
		}
		return fmt.Sprintf("end %q", known(l.Name()))
	}
	return "end"
}

func decoded(t *tag) (values [attributes]string) {
	for a := range attributes {
		values[a] = string(AppendValue(nil, t.get(a)))
		if IsPlain(t.get(a)) && values[a] != string(t.get(a)) {
			panic("plain, and yet decoded")
		}
	}
	return values
}

// tokenized gives the tokenizer's next token in the same words. Of SVG, MathML and templates it knows nothing: what it is
// told of them is what the lexer found, which TestForeign holds to the parser.
func tokenized(z *html.Tokenizer, l *Lexer) string {
	for {
		switch z.Next() {
		case html.TextToken:
			if text := z.Text(); len(text) > 0 {
				return fmt.Sprintf("text %q", text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			name := known(tag)
			markup := l.mode&shown == 0 && (name == "noscript" || name == "noframes" || name == "noembed")
			if markup || l.foreign || l.mode&AllMarkup != 0 {
				z.NextIsNotRawText()
			}
			if l.mode&shown != 0 {
				more = false
			}
			return fmt.Sprintf("start %q %q", name, values(z, more))
		case html.EndTagToken:
			name, _ := z.TagName()
			if l.mode&shown != 0 {
				return "end tag"
			}
			return fmt.Sprintf("end %q", known(name))
		case html.ErrorToken:
			return "end"
		}
	}
}

// values gives the attributes of the tokenizer's tag that matter.
func values(z *html.Tokenizer, more bool) (values [attributes]string) {
	for more {
		var key, value []byte
		key, value, more = z.TagAttr()
		if a, ok := attributeOf(key); ok {
			values[a] = string(value)
		}
	}
	return values
}

// known leaves out names that are none of those that matter: long ones, which the lexer does not give, and those with
// NUL, which the tokenizer spells U+FFFD.
func known(name []byte) string {
	if len(name) > maxName || bytes.ContainsAny(name, "\x00\uFFFD") {
		return ""
	}
	return string(name)
}
