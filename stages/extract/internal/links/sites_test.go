package links

import (
	"bytes"
	"maps"
	"slices"
	"testing"

	"golang.org/x/net/html"

	"multitext/classify/testkit"
	"multitext/stages/internal/web/canon"
	"multitext/stages/internal/web/httphead"
)

// TestRealSites holds the links of A and AREA on real pages to those of a parse tree.
func TestRealSites(t *testing.T) {
	pages, links := 0, 0
	testkit.Pages(t, 1, func(name string, page []byte) bool {
		links += compareWithTree(t, "http://"+name, page)
		pages++
		return pages < 500
	})
	if links < pages {
		t.Errorf("only %d links on %d pages", links, pages)
	}
}

func compareWithTree(t *testing.T, name string, page []byte) int {
	t.Helper()
	url, err := canon.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	h := httphead.Fields{{Name: "Content-Type", Value: "text/html; charset=utf-8"}}
	r, err := NewFinder(Options{Kinds: 1<<A | 1<<Area, Max: 1 << 20}).Find(Page{URL: url, Header: h, Body: page})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, l := range r.Links {
		got[string(l.URL)] = true
	}
	want := treeLinks(t, url, page)
	if !maps.Equal(got, want) {
		t.Errorf("%s: %d links, the tree has %d: %q and %q", url, len(got), len(want),
			slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
	return len(got)
}

// treeLinks gives the links of A and AREA by the long way.
func treeLinks(t *testing.T, url string, page []byte) map[string]bool {
	t.Helper()
	root, err := html.ParseWithOptions(bytes.NewReader(page), html.ParseOptionEnableScripting(false))
	if err != nil {
		t.Fatal(err)
	}
	base, hrefs := "", []string{}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key != "href" || a.Namespace != "":
			case n.Data == "base" && base == "":
				base = a.Val
			case n.Data == "a" || n.Data == "area":
				hrefs = append(hrefs, a.Val)
			}
		}
	}
	if b, err := canon.Resolve(url, base); err == nil {
		base = b
	} else {
		base = url
	}
	found := map[string]bool{}
	for _, href := range hrefs {
		if u, err := canon.Resolve(base, href); err == nil && u != url {
			found[u] = true
		}
	}
	return found
}
