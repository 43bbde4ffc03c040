package partition

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/sharing/nodes"
	"multitext/stages/internal/web/canon"
)

// parse makes the nodes of a file's tables.
func parse(t testing.TB, tables string) *nodes.Set {
	t.Helper()
	s, err := nodes.Parse("nodes.toml", []byte("nodes = 1\nurl = \"file:$FROM/$TO\"\n"+tables))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func sixteen(t testing.TB, lines ...string) *nodes.Set {
	var b strings.Builder
	b.WriteString(strings.Join(lines, ""))
	for i := range 16 {
		fmt.Fprintf(&b, "[[node]]\nname = \"n%02d\"\n", i)
	}
	return parse(t, b.String())
}

const placed = `
[[node]]
name = "east"
hosts = ["jp", "example.org", "example.org:8080/b", "example.org/a/b/folder", "[2001:db8::1]"]
[[node]]
name = "west"
hosts = ["br", "co.uk", "example.org/a/b", "www.example.org", "example.org:8080", "127.0.0.1"]
[[node]]
name = "other"
`

// partition makes the one of that name, as the node number me sees it.
func partition(t testing.TB, set *nodes.Set, name string, me int) Partition {
	t.Helper()
	p, err := New(name, set, set.All()[me])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPlaces(t *testing.T) {
	set := parse(t, placed)
	for _, c := range []struct{ url, country, hierarchy string }{
		{"http://a.jp/", "east", "east"},
		{"http://jp/", "east", "east"},
		{"http://a.b.co.uk/x", "west", "west"},
		{"https://example.org/", "east", "east"},
		{"http://example.org/a", "east", "east"},
		{"http://example.org/a/b", "east", "west"},
		{"http://example.org/a/b/", "east", "west"},
		{"http://example.org/a/b/c/d/e/f?g/h", "east", "west"},
		{"http://example.org/a/b/folder/x", "east", "east"},
		{"http://example.org/a/b/folders/x", "east", "west"},
		{"http://example.org/a/b?c", "east", "west"},
		{"http://example.org/a/bc", "east", "east"},
		{"http://example.org/?/a/b", "east", "east"},
		{"http://www.example.org/a/b", "west", "west"},
		{"http://x.www.example.org/", "west", "west"},
		{"http://x.example.org/a/b", "east", "east"},
		{"http://example.org:8080/a/b", "west", "west"},
		{"http://example.org:8080/b", "west", "east"},
		{"http://example.org:8081/a/b", "east", "east"},
		{"http://127.0.0.1:8080/", "west", "west"},
		{"http://[2001:db8::1]/", "east", "east"},
	} {
		rec := urlbatch.New(c.url)
		if got := partition(t, set, "country", 0)(rec).Name; got != c.country {
			t.Errorf("country of %s: %s, want %s", c.url, got, c.country)
		}
		if got := partition(t, set, "hierarchy", 0)(rec).Name; got != c.hierarchy {
			t.Errorf("hierarchy of %s: %s, want %s", c.url, got, c.hierarchy)
		}
	}
}

// TestTogether holds what each partition keeps in one hand, and what it does not.
func TestTogether(t *testing.T) {
	set := sixteen(t)
	owners := func(name, form string) int {
		seen, p := map[string]bool{}, partition(t, set, name, 0)
		for i := range 200 {
			seen[p(urlbatch.New(fmt.Sprintf(form, i))).Name] = true
		}
		return len(seen)
	}
	for _, c := range []struct {
		name, form string
		together   bool
	}{
		{"url", "http://a.example.com/%d", false},
		{"host", "http://a.example.com/%d", true},
		{"host", "http://a%d.example.com/", false},
		{"host", "http://127.0.0.1:%d00/", false},
		{"domain", "http://a%d.example.co.uk:8%[1]d/", true},
		{"domain", "http://example%d.co.uk/", false},
		{"domain", "http://a%d.github.io/", false},
		{"country", "http://h%d.co.uk/", true},
		{"country", "http://%d.com/", false},
		{"country", "http://a.com/%d", true},
		{"country", "http://a.c%d/", false},
		{"country", "http://a%d.xn--p1ai/", false},
		{"country", "http://10.%d.0.1/", false},
		{"hierarchy", "http://a%d.example.co.uk/", true},
		{"hierarchy", "http://a%d.co.uk/", false},
	} {
		if n := owners(c.name, c.form); c.together != (n == 1) || !c.together && n < 12 {
			t.Errorf("%s gives %s to %d nodes", c.name, c.form, n)
		}
	}
}

// TestOneOwner holds the law of partitions: whoever asks, and however the URL was written, the
// owner is the same.
func TestOneOwner(t *testing.T) {
	spellings := []string{"http://Example.ORG:80/%7ea/../a/b?q", "http://example.org/a/b?q#top",
		"HTTP://example.org/./a/%62?q"}
	for _, tables := range []string{placed, "[[node]]\nname = \"alone\"\n"} {
		set := parse(t, tables)
		for _, name := range []string{"url", "host", "domain", "country", "hierarchy"} {
			for i := range 500 {
				seen := map[*nodes.Node]bool{}
				for me := range len(set.All()) {
					for _, ref := range spellings {
						url, err := canon.Parse(strings.Replace(ref, "q", fmt.Sprint(i), 1))
						if err != nil {
							t.Fatal(err)
						}
						seen[partition(t, set, name, me)(urlbatch.New(url))] = true
					}
				}
				if len(seen) != 1 || seen[nil] {
					t.Fatalf("%s: the owners of URL %d are %v", name, i, seen)
				}
			}
		}
	}
}

// TestBalance holds hashes to even loads: chi-square over a fixed set, which a fair hash passes
// with a chance of 999 in 1000.
func TestBalance(t *testing.T) {
	set := sixteen(t)
	const bound = 37.7 // 15 degrees of freedom
	for _, c := range []struct{ name, form string }{
		{"url", "http://www.example.com/page/%d.html"},
		{"host", "http://host%d.example.com/"},
		{"domain", "http://www.example%d.com/"},
		{"hierarchy", "http://www.example%d.com/"},
		{"country", "http://www.example%d.com/"},
	} {
		p, count := partition(t, set, c.name, 0), make([]float64, len(set.All()))
		const urls = 16_000
		for i := range urls {
			count[p(urlbatch.New(fmt.Sprintf(c.form, i))).Number]++
		}
		chi, expected := 0.0, float64(urls)/float64(len(set.All()))
		for _, n := range count {
			chi += math.Pow(n-expected, 2) / expected
		}
		if chi > bound {
			t.Errorf("%s: chi-square %.1f of %v", c.name, chi, count)
		}
	}
}

// TestGolden holds who owns what: with another answer a crawl's URLs would change hands.
func TestGolden(t *testing.T) {
	set := sixteen(t)
	for name, want := range map[string]int{"url": 12, "host": 9, "domain": 2, "country": 8, "hierarchy": 2} {
		rec := urlbatch.New("http://www.example.co.uk:8080/a/b?c")
		if got := partition(t, set, name, 0)(rec).Number; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestSecret: with a secret other nodes own the URLs, each still one; so nobody else knows which.
func TestSecret(t *testing.T) {
	const secret = "secret = \"000102030405060708090a0b0c0d0e0f\"\n"
	with, without, moved := sixteen(t, secret), sixteen(t), 0
	for i := range 1000 {
		rec := urlbatch.New(fmt.Sprint("http://h", i, ".test/"))
		for _, name := range []string{"url", "host", "domain", "country", "hierarchy"} {
			if partition(t, with, name, 0)(rec).Name != partition(t, without, name, 0)(rec).Name {
				moved++
			}
		}
	}
	if moved < 4400 { // of 5,000, 312 stay by chance
		t.Errorf("%d of 5000 owners are others", moved)
	}
}

// TestDomainIgnoresHosts: the places in nodes.toml are those of country and hierarchy alone.
func TestDomainIgnoresHosts(t *testing.T) {
	set := parse(t, placed)
	domain, moved := partition(t, set, "domain", 0), 0
	for i := range 50 {
		rec := urlbatch.New(fmt.Sprintf("http://x%d.jp/", i))
		if domain(rec) != partition(t, set, "hierarchy", 0)(rec) {
			moved++
		}
	}
	if moved < 20 { // of 50, a third stays by chance
		t.Errorf("domain gives %d of 50 hosts to another node than hierarchy", moved)
	}
}

// TestBothSchemes: a host is asked by one node, by http and by https.
func TestBothSchemes(t *testing.T) {
	p := partition(t, sixteen(t), "host", 0)
	for i := range 50 {
		host := fmt.Sprintf("h%d.example/", i)
		if p(urlbatch.New("http://"+host)) != p(urlbatch.New("https://"+host+"x")) {
			t.Errorf("%s has two owners", host)
		}
	}
}

func TestOwnerAndNone(t *testing.T) {
	set := parse(t, placed)
	for _, c := range []struct{ attribute, owner string }{
		{"", "west"}, {"east", "east"}, {"other", "other"}, {"nobody", ""}, {"../east", ""},
	} {
		rec := urlbatch.New("http://a.jp/")
		if c.attribute != "" {
			rec.Set(urlbatch.Owner, c.attribute)
		}
		if got := partition(t, set, "owner", 1)(rec); (got == nil) != (c.owner == "") ||
			got != nil && got.Name != c.owner {
			t.Errorf("owner=%s: %v, want %q", c.attribute, got, c.owner)
		}
		if got := partition(t, set, "none", 1)(rec).Name; got != "west" {
			t.Errorf("none: %s", got)
		}
	}
	if _, err := New("hots", set, set.All()[0]); err == nil ||
		err.Error() != `unknown partition "hots"; did you mean "host"?` {
		t.Error(err)
	}
}

// FuzzPlaces compares the search for a place with a plain reading of the definition.
func FuzzPlaces(f *testing.F) {
	f.Add("http://x.www.example.org/a/b/c")
	f.Add("http://example.org:8080/b/?/a")
	f.Add("https://[2001:db8::1]:80/a//b")
	f.Add("http://example.org/" + strings.Repeat("a/", 90))
	set := parse(f, placed)
	f.Fuzz(func(t *testing.T, ref string) {
		url, err := canon.Parse(ref)
		if err != nil {
			return
		}
		var want *nodes.Node
		longest := ""
		for _, n := range set.All() {
			for _, place := range n.Hosts {
				if len(place) > len(longest) && liesIn(url, place) {
					want, longest = n, place
				}
			}
		}
		if got := hierarchy(set).owner(url); got != want {
			t.Errorf("%s: %v, want %v by %s", url, got, want, longest)
		}
	})
}

func liesIn(url, place string) bool {
	path, _, _ := strings.Cut(canon.Host(url)+canon.Path(url), "?")
	if strings.Contains(place, "/") {
		return path == place || strings.HasPrefix(path, place+"/")
	}
	return place == canon.Host(url) || strings.HasSuffix("."+canon.Hostname(url), "."+place)
}

func BenchmarkOwner(b *testing.B) {
	var recs []*urlbatch.Record
	for i := range 1000 {
		recs = append(recs, urlbatch.New(fmt.Sprintf("http://www.host%d.example.co.uk/a/folder/page-%d.html", i%37, i)))
	}
	for _, name := range Names() {
		b.Run(name, func(b *testing.B) {
			p, err := New(name, parse(b, placed), nil)
			if err != nil {
				b.Fatal(err)
			}
			for i := 0; b.Loop(); i++ {
				p(recs[i%len(recs)])
			}
		})
	}
}
