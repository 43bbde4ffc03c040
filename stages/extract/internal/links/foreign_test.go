package links

import (
	"strings"
	"testing"

	"multitext/stages/internal/web/httphead"
)

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
		r, err := f.Find(Page{URL: "http://a.test/x",
			Header: httphead.Fields{{Name: "Content-Type", Value: contentType}}, Body: []byte(page)})
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
