package main

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"multitext/classify/testkit"
	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/web/canon"
)

// everyKind is rules of every kind.
const everyKind = `reject scheme https and host a.org:81 as a
reject host b.example.org [::1] 192.0.2.1 as b
reject repeats > 3 as o
reject segments > 7 as p
reject domain x.example.org co.uk and not ext html as c
reject surt (org,example,y, http://(com, https://(uk,co, as d
reject path /cgi-bin/ /x/?a and params > 1 as e
reject regex [?&]sid= /%C3% as f
reject ext gif JPG tar as g
reject type image video script style as h
reject depth >= 3 and not depth = 4 and length < 40 as i
reject params = 2 as j
reject rel sitemap as k
reject ahead >= 1 and ago <= 3 as l
reject ago > 20 as m
reject repeats = 2 and segments <= 4 as n
reject length > 120 as q
keep all
`

// holdDecide holds the compiled rules to the plain way. s is used again, as a run does.
func holdDecide(t testing.TB, sc scope, s *subject, u plainURL) *rule {
	t.Helper()
	s.set(u.record())
	got, want := sc.decide(s), sc[plainDecide(t, sc, u)]
	if got != want {
		t.Errorf("%+v is decided by %q, the plain way by %q", u, got.text, want.text)
	}
	return got
}

// TestDecideOfPieces judges URLs joined of what rules look at.
func TestDecideOfPieces(t *testing.T) {
	hosts := []string{"a.org:81", "example.org", "b.example.org", "y.example.org", "c.x.example.org", "www.co.uk",
		"[::1]", "192.0.2.1:8080", "x.com"}
	pieces := []string{"/", "/x", "cgi-bin/", "?a&b", "/x/", strings.Repeat("long", 12), ".png", ".css", "/a.GIF",
		"/a.html", ".jpg", ".tar", "/.tar", "/page", "/%C3%BC", "/2031", "/2025/05", "-05", "_12", "/1999-13",
		"/12/2031",
		"?", "?a", "&a=", ";b", "&sid=", "&year=2031", "&StartDate=19990517", "&yr=", "&xmonth=203105", "&d=2027%2F01",
		"2031.12.01", "20311201", "=2032", "/13.07.1980", "%2520", "1"}
	sc, s := rulesOf(t, everyKind), &subject{year: 2026}
	random := rand.New(rand.NewPCG(3, 4))
	decided := map[*rule]int{}
	for range 15_000 {
		text := [...]string{"http://", "https://"}[random.IntN(2)] + hosts[random.IntN(len(hosts))] + "/"
		for range random.IntN(12) {
			text += pieces[random.IntN(len(pieces))]
		}
		url, err := canon.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		u := plainURL{url: url, depth: random.IntN(6), rel: [...]string{"", "", "listed", "sitemap"}[random.IntN(4)]}
		decided[holdDecide(t, sc, s, u)]++
	}
	for _, r := range sc {
		if decided[r] == 0 {
			t.Errorf("no URL is decided by %q", r.text)
		}
	}
}

var sitePages = flag.Int("sites", 150, "judge the links on so many pages of real sites; 0: of all")

// TestDecideOnRealSites judges the links of real sites, of which none is a trap.
func TestDecideOnRealSites(t *testing.T) {
	sc, trap, s := rulesOf(t, traps+everyKind), rulesOf(t, traps+"keep all"), &subject{year: 2026}
	href := regexp.MustCompile(`(?i)(?:href|src)\s*=\s*["']([^"']*)`)
	pages, links := 0, 0
	testkit.Pages(t, 1, func(name string, page []byte) bool {
		base, err := canon.NewBase("http://" + name)
		if err != nil {
			return true
		}
		pages++
		for _, ref := range href.FindAllSubmatch(page, 100) {
			if url, err := base.Append(nil, ref[1]); err == nil {
				holdDecide(t, sc, s, plainURL{url: string(url), depth: links % 7})
				if r := trap.decide(s); !r.keep {
					t.Errorf("%s is rejected by %q", url, r.text)
				}
				links++
			}
		}
		return pages != *sitePages
	})
	if links < pages {
		t.Errorf("only %d links on %d pages", links, pages)
	}
}

// FuzzDecide holds the compiled rules to the plain way, for any rules.
func FuzzDecide(f *testing.F) {
	f.Add(everyKind, "https://a.b.example.org:81/x/2031/05/a.GIF?year=1999&Date=20310517%2F", 3, "sitemap")
	f.Add("reject domain org and not path /a /b\nreject ago > 3 and segments < 4", "http://a.org/2001-01/a/a/a", 0, "")
	f.Fuzz(func(t *testing.T, text, url string, depth int, rel string) {
		p := &parser{}
		p.parse("fuzz", text)
		p.parse("end", "keep all")
		c, err := canon.Parse(url)
		if len(p.errs) > 0 || err != nil {
			return
		}
		holdDecide(t, p.rules, newSubject(urlbatch.New(c), 2026), plainURL{c, max(0, depth), rel})
	})
}

// TestJudgingAllocatesNothing holds the cost of a URL that the short way of package canon takes, as
// nearly all are.
func TestJudgingAllocatesNothing(t *testing.T) {
	sc, s := rulesOf(t, traps+everyKind), &subject{year: 2026}
	rec, err := urlbatch.Parse([]byte("http://www.example.org/some/where/2026/page-17.HTML?day=2026-10-11&x=%C3%BC" +
		"\tdepth=2\tvia=http://www.example.org/"))
	if err != nil {
		t.Fatal(err)
	}
	url := make([]byte, 0, 200)
	n := testing.AllocsPerRun(1000, func() {
		if url, err = canon.Append(url[:0], rec.URLBytes()); err != nil || !bytes.Equal(url, rec.URLBytes()) {
			t.Error("it is canonical")
		}
		s.set(rec)
		sc.decide(s)
	})
	if n > 0 {
		t.Errorf("%v allocations a URL", n)
	}
}
