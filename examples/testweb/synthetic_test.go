package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// TestSameBytes holds the web of a seed still: crawls and figures are compared over years.
func TestSameBytes(t *testing.T) {
	web := newSynthetic(shape{hosts: 20, pages: 100, seed: 1})
	h := xxhash.New()
	for host := range 4 {
		for i := range 100 {
			a := web.at(address{host: host, role: rolePage, n: i}, nil)
			fmt.Fprintln(h, a.target, a.contentType)
			h.Write(a.body)
		}
	}
	const want = "5a53a565d3b65788"
	if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
		t.Errorf("400 pages of seed 1 hash to %s, want %s: the web has changed", got, want)
	}
}

func TestAnotherSeedIsAnotherWeb(t *testing.T) {
	one := newSynthetic(shape{hosts: 2, pages: 9, seed: 1}).appendPage(nil, 0, 0)
	two := newSynthetic(shape{hosts: 2, pages: 9, seed: 2}).appendPage(nil, 0, 0)
	if bytes.Equal(one, two) {
		t.Error("seeds 1 and 2 give the same page")
	}
}

func TestPagesAreOfTheSizePromised(t *testing.T) {
	web := newSynthetic(shape{hosts: 8, pages: 150, seed: 3})
	links, same := 0, 0
	for host := range 8 {
		for i := range 150 {
			if n := len(web.appendPage(nil, host, i)); n < 12_000 || n > 16_384 {
				t.Errorf("page %d of host %d has %d bytes, want 12000 to 16384", i, host, n)
			}
			for _, l := range web.linksOf(address{host: host, n: i}) {
				if l.element == elementStyle || l.element == elementImage {
					continue
				}
				links++
				if l.to.host == host {
					same++
				}
			}
		}
	}
	if links != 8*150*20 {
		t.Errorf("%d links on 1200 pages, want 20 a page", links)
	}
	if share := float64(same) / float64(links); share < 0.78 || share > 0.82 {
		t.Errorf("%.3f of the links stay on their host, want 0.8", share)
	}
}

func TestCopiesAreEqualAndLinkAlike(t *testing.T) {
	web := newSynthetic(shape{hosts: 3, pages: 100, seed: 1})
	for _, c := range []struct{ copy, of address }{
		{address{host: 1, role: roleIndex}, address{host: 1}},
		{address{host: 1, role: rolePrint, n: 57}, address{host: 1, n: 57}},
		{address{host: 0, role: roleMirror}, address{host: 2, n: 1}},
	} {
		a, b := web.at(c.copy, nil), web.at(c.of, nil)
		if !bytes.Equal(a.body, b.body) || a.contentType != b.contentType {
			t.Errorf("%s differs from %s", web.shape.url(c.copy), web.shape.url(c.of))
		}
		la, lb := hrefs(t, web.shape.url(c.copy), a), hrefs(t, web.shape.url(c.of), b)
		if fmt.Sprint(la) != fmt.Sprint(lb) {
			t.Errorf("%s links to %v,\n%s links to %v", web.shape.url(c.copy), la, web.shape.url(c.of), lb)
		}
	}
}

func TestEveryAddressIsFound(t *testing.T) {
	everyAddressIsFound(t, shape{hosts: 5, pages: 120, seed: 1})
	everyAddressIsFound(t, shape{hosts: 5, pages: 120, seed: 1, plain: true})
}

func everyAddressIsFound(t *testing.T, s shape) {
	t.Helper()
	for host := range s.hosts {
		for r := rolePage; r <= roleRobots; r++ {
			for n := range 120 {
				for step := range 3 {
					a := address{host, r, n, step}
					if r == roleAsset && n >= len(assets()) || r == roleLoop && n > 1 || !s.exists(a) {
						continue
					}
					if n > 0 && (r == roleIndex || r == roleMirror || r == roleRobots) || step > 0 && r != roleMoved {
						continue
					}
					if got, ok := s.find(host, s.path(a)); !ok || got != a {
						t.Fatalf("%s is found as %v, %v; want %v", s.url(a), got, ok, a)
					}
				}
			}
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, target := range []string{"/", "/d0/p00001.html", "/d0/%7000001.html", "/d0/search?q=caf%e9&n=00013",
		"/r/00019/2", "/%", "00000", "/r/99999999"} {
		f.Add(1, target)
	}
	s := shape{hosts: 3, pages: 60, seed: 1}
	f.Fuzz(func(t *testing.T, host int, target string) {
		host = int(uint(host) % 3)
		a, ok := s.find(host, target)
		if ok && (s.path(a) != plainEscapes(target) || !s.exists(a)) {
			t.Errorf("%q is found as %v, which is at %q", target, a, s.path(a))
		}
	})
}

func BenchmarkPage(b *testing.B) {
	web := newSynthetic(shape{hosts: 20, pages: 100, seed: 1})
	var buf []byte
	for i := range b.N {
		buf = web.answer(hostName(i%20), web.shape.pagePath(i%20, i%100), "", buf[:0]).body
	}
	b.SetBytes(int64(len(buf)))
}

// A plain web has no page that a crawler loses that reads no letters outside ASCII or entities in
// URLs, or no Allow.
func TestPlain(t *testing.T) {
	for _, plain := range []bool{false, true} {
		s := shape{hosts: 4, pages: 60, seed: 1, plain: plain}
		hard := 0
		for host := range s.hosts {
			hard += strings.Count(s.robotsTxt(host), "Allow:")
			for i := range s.pages {
				if path := s.pagePath(host, i); strings.ContainsAny(path, "%&") ||
					strings.HasPrefix(path, "/private/") {
					hard++
				}
			}
		}
		if (hard == 0) != plain {
			t.Errorf("plain is %v, and %d pages or rules are hard", plain, hard)
		}
	}
}
