package links

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

	"multitext/stages/internal/testkit/sites"
	"multitext/stages/internal/web/httphead"
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

// parsed tells of the numbers of a page whether its parser takes them for tags. Those of tags that leave no element, and
// no text, are missing.
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

// compareWithParser fails where the lexer takes for a tag what the parser does not, or the other way round.
func compareWithParser(t *testing.T, what string, page []byte) {
	t.Helper()
	page = numbered(page)
	want, got := parsed(t, page), map[int]bool{}
	l := new(lexer)
	l.open(page, false, false)
	for tok := l.next(); tok != pageEnd; tok = l.next() {
		if n, err := strconv.Atoi(strings.TrimRight(string(l.tag.get(attrName)), "/")); err == nil {
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

// foreign is pages with SVG, MathML and templates, each with links behind them that are found only by who reads these as the
// standard has it.
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
	`<svg><font><title/></font><title/><a><font size=1><title><a></title><a>`, `<svg><![CDATA[<a>]]><a></svg><![CDATA[<a>]]>`,
	`<div><svg><g></div><title><a></title><a>`, `<p><svg><path></svg><title><a></title><a>`, `<template><svg><title/></svg><title><a></title></template><a>`,
	`<svg><script>"<a>"</script><script/></svg><script>"<a>"</script><a>`, `<svg><feComponentTransfer><title/></feComponentTransfer></svg><title><a></title>`,
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
	pages := 0
	sites.Pages(t, *everySite, func(url string, page []byte) bool {
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
		htmlPoint:   {"div", "section", "title", "style", "script", "textarea", "iframe", "svg", "math", "svg", "math"},
		svgElement:  {"g", "title", "style", "script", "textarea", "iframe", "xmp", "desc", "foreignObject", "math", "svg"},
		mathElement: {"mrow", "title", "style", "script", "mi", "mtext", "annotation-xml", "annotation-xml encoding=text/html"},
	}[in]
	name := names[rnd.IntN(len(names))]
	bare, _, _ := strings.Cut(name, " ")
	inner := in
	switch {
	case in == htmlPoint && special([]byte(name)) != "" && name != "svg" && name != "math":
		fmt.Fprintf(b, "<%s>a <i>b</%s>", name, name)
		return
	case in == htmlPoint && name == "svg", in == svgElement && !slices.Contains([]string{"title", "desc", "foreignObject"}, name):
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

// TestXHTML holds that a page of XML is read by the rules of XML.
func TestXHTML(t *testing.T) {
	const page = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/><script src="/s.js"/><style/></head><body>` +
		`<iframe/><textarea/><a href="/a"/><script><![CDATA[ "<a href='/no'/></script>" ]]></script><a href="/b"/><plaintext/>` +
		`<template/><base href="/c/"/><a href="d"/></body></html>`
	for contentType, want := range map[string]string{
		"application/xhtml+xml; charset=utf-8": "/s.js /a /b /c/ /c/d",
		"text/html":                            "",
	} {
		f := NewFinder(Options{Kinds: All, Max: 100})
		r, err := f.Find(Page{URL: "http://a.test/x", Header: httphead.Fields{{Name: "Content-Type", Value: contentType}}, Body: []byte(page)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range r.Links {
			got = append(got, strings.TrimPrefix(string(l.URL), "http://a.test"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", contentType, got, want)
		}
	}
}

// TestBaseOfThePage holds that a BASE counts only where it is one of the page.
func TestBaseOfThePage(t *testing.T) {
	for page, want := range map[string]string{
		`<base href=/b/><a href=x>`:                                                 "/b/x",
		`<template><base href=/no/></template><a href=x>`:                           "/x",
		`<template><base href=/no/></template><base href=/b/><a href=x>`:            "/b/x",
		`<template><div><template></template><base href=/no/></template><a href=x>`: "/x",
		`<svg><base href=/no/></svg><a href=x>`:                                     "/x",
		`<math><base href=/no/></math><a href=x>`:                                   "/x",
		`<svg><foreignObject><base href=/b/></foreignObject></svg><a href=x>`:       "/b/x",
		`<svg><title>x</title></svg><base href=/b/><a href=x>`:                      "/b/x",
		`<svg><template><title/></template></svg><base href=/b/><a href=x>`:         "/b/x",
		`</template><base href=/b/><a href=x>`:                                      "/b/x",
	} {
		f := NewFinder(Options{Kinds: 1 << A, Max: 100})
		r, err := f.Find(Page{URL: "http://a.test/", Body: []byte(page)})
		if err != nil || len(r.Links) != 1 || string(r.Links[0].URL) != "http://a.test"+want {
			t.Errorf("%s: %q, %v; want %s", page, r.Links, err, want)
		}
	}
}
