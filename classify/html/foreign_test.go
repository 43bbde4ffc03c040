package html

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"multitext/classify/testkit"
)

// tagStart is what may begin a tag.
var tagStart = regexp.MustCompile(`<[a-zA-Z][^\x00-\x20/>]*`)

// numbered gives each tag of a page, and all that looks like one, a NAME of its own.
func numbered(page []byte) []byte {
	n := 0
	return tagStart.ReplaceAllFunc(page, func(tag []byte) []byte {
		n++
		return fmt.Appendf(nil, "%s name=%d ", tag, n)
	})
}

var nameOfTag = regexp.MustCompile(`name=([0-9]+)`)

// parsed tells of the numbers of a page whether its parser takes them for tags. Those of tags that
// leave no element, and no text, are missing.
func parsed(t *testing.T, page []byte) map[int]bool {
	t.Helper()
	root, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	isTag := map[int]bool{}
	text := func(s string) {
		for _, m := range nameOfTag.FindAllStringSubmatch(s, -1) {
			n, _ := strconv.Atoi(m[1])
			isTag[n] = isTag[n] // false, if it is no tag
		}
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			text(n.Data)
			continue
		}
		for i, a := range n.Attr {
			if number, err := strconv.Atoi(strings.TrimRight(a.Val, "/")); err == nil && a.Key == "name" && i == 0 {
				isTag[number] = true
			} else {
				text(a.Val)
			}
		}
	}
	return isTag
}

// compareWithParser fails where the lexer takes for a tag what the parser does not, or the other
// way round.
func compareWithParser(t *testing.T, what string, page []byte) {
	t.Helper()
	page = numbered(page)
	want, got := parsed(t, page), map[int]bool{}
	l := new(Lexer)
	l.Open(page, 0)
	for tok := l.Next(); tok != PageEnd; tok = l.Next() {
		if n, err := strconv.Atoi(strings.TrimRight(string(l.Attr(Name)), "/")); err == nil {
			got[n] = true
		}
	}
	for n, tag := range want {
		if got[n] != tag {
			t.Errorf("%s: tag %d is one: %v, the parser says %v; page %.3000q", what, n, got[n], tag, page)
			return
		}
	}
}

// foreign is pages with SVG, MathML and templates, each with links behind them that are found only
// by who reads these as the standard has it.
var foreign = []string{
	`<svg><title/></svg><a href=x>`, `<svg><style/><script/><textarea/><xmp/><iframe/><plaintext/></svg><a href=x>`,
	`<math><mi/><title/></math><a href=x>`, `<svg><title>a<b>b</b></title><style><a href=y></style></svg><a href=x>`,
	`<svg/><title><a></title><a>`, `<svg><g><title/><div><title><a></title><a>`, `<svg><p><style><a></style>`,
	`<svg><foreignObject><title><a></title><div><style><a></style></div></foreignObject><style/><a></svg><style><a></style>`,
	`<svg><desc><title><a></title></desc><title/><a>`, `<svg><a><title/></a><title/><a></svg><a>`,
	`<math><mi><title><a></title></mi><title/><a>`, `<math><mi><mglyph><title/></mglyph></mi><title/><a>`,
	`<math><annotation-xml><title/><svg><title/></svg><title/></annotation-xml><title/><a>`,
	`<math><annotation-xml encoding="TEXT/HTML"><title><a></title></annotation-xml><title/><a>`,
	`<math><annotation-xml encoding=text/plain><title/></annotation-xml><title/><a>`,
	`<svg><font><title/></font><title/><a><font size=1><title><a></title><a>`,
	`<svg><![CDATA[<a>]]><a></svg><![CDATA[<a>]]>`,
	`<div><svg><g></div><title><a></title><a>`, `<p><svg><path></svg><title><a></title><a>`,
	`<template><svg><title/></svg><title><a></title></template><a>`,
	`<svg><style>a</style>b<style>c</svg>d<script/>e</svg><p>f`,
	`<svg a=x/><title><b></b></title></svg><title><a></title><a>`, `<svg a=x /><title><a></title><a>`,
	`<svg a="x"/><title><a></title><a>`,
	`<svg><script>"<a>"</script><script/></svg><script>"<a>"</script><a>`,
	`<svg><feComponentTransfer><title/></feComponentTransfer></svg><title><a></title>`,
}

// TestForeign holds what is read of pages with SVG and MathML to the parser of x/net/html.
func TestForeign(t *testing.T) {
	for _, page := range foreign {
		compareWithParser(t, "by hand", []byte(page))
		compareTokens(t, []byte(page))
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var page bytes.Buffer
		for range 3 {
			invent(&page, rnd, htmlPoint, 5)
		}
		compareWithParser(t, "invented", page.Bytes())
		if t.Failed() {
			return
		}
	}
}

// TestForeignOnRealPages is TestForeign on pages of all sites.
func TestForeignOnRealPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	pages := 0
	testkit.Pages(t, *everySite, func(url string, page []byte) bool {
		if bytes.Contains(page, []byte("<svg")) || bytes.Contains(page, []byte("<math")) {
			compareWithParser(t, url, page)
			pages++
		}
		return true
	})
	if pages < 5 {
		t.Errorf("only %d pages with SVG or MathML", pages)
	}
}

// invent writes an element that may stand in one of that kind, closed as it should be.
func invent(b *bytes.Buffer, rnd *rand.Rand, in elementKind, depth int) {
	names := map[elementKind][]string{
		htmlPoint: {"div", "section", "title", "style", "script", "textarea", "iframe", "svg", "math", "svg", "math"},
		svgElement: {"g", "title", "style", "script", "textarea", "iframe", "xmp", "desc", "foreignObject", "math",
			"svg"},
		mathElement: {"mrow", "title", "style", "script", "mi", "mtext", "annotation-xml",
			"annotation-xml encoding=text/html"},
	}[in]
	name := names[rnd.IntN(len(names))]
	bare, _, _ := strings.Cut(name, " ")
	inner := in
	switch {
	case in == htmlPoint && slices.Contains([]string{"title", "style", "script", "textarea", "iframe"}, name):
		fmt.Fprintf(b, "<%s>a <i>b</%s>", name, name)
		return
	case in == htmlPoint && name == "svg", in == svgElement &&
		!slices.Contains([]string{"title", "desc", "foreignObject"}, name):
		inner = svgElement
	case in == svgElement, name == "mi", name == "mtext", strings.Contains(name, "encoding"):
		inner = htmlPoint
	case name == "math", in == mathElement:
		inner = mathElement
	}
	if in != htmlPoint || name == "svg" || name == "math" {
		if rnd.IntN(3) == 0 {
			fmt.Fprintf(b, "<%s />", name)
			return
		}
	}
	fmt.Fprintf(b, "<%s>", name)
	for range rnd.IntN(min(depth, 3) + 1) {
		invent(b, rnd, inner, depth-1)
	}
	fmt.Fprintf(b, "</%s>", bare)
}

// TestInForeign: where a text is in SVG or MathML, and which tags end their element.
func TestInForeign(t *testing.T) {
	page := "a<svg>b<path/><g>c</g></svg>d<br/><math>e<mi>f</mi></math>g<template>h</template><svg/>i"
	for mode, want := range map[Mode]string{Texts: "abcdefghi bcef path svg",
		Texts | XML: "abcdefghi bcef path br svg"} {
		var l Lexer
		var all, foreign, closed string
		l.Open([]byte(page), mode)
		for token := l.Next(); token != PageEnd; token = l.Next() {
			switch {
			case token == StartTag && l.Closed():
				closed += " " + string(l.Name())
			case token == TextToken:
				all += l.DecodedText(9)
				if l.InForeign() {
					foreign += l.DecodedText(9)
				}
			}
		}
		if got := all + " " + foreign + closed; got != want {
			t.Errorf("mode %d: %q, want %q", mode, got, want)
		}
	}
}
