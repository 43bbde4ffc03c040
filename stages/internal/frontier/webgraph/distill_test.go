package webgraph

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/frontier/centrality"
)

// judge takes in what a page was worth.
func (m *topicModel) judge(url string, worth float64) string {
	m.pages[url], m.worth[url] = true, float64(float32(worth))
	return fmt.Sprintf("%s\tworth=%v\tdepth=%d\tvia=http://elsewhere.test/", url, worth, len(url))
}

// A topicModel is a model with what pages were worth, and which of them were asked for.
type topicModel struct {
	model
	worth  map[string]float64
	asked  map[string]uint64 // links then
	visits map[string]uint64
}

// round is one of the paper's, from hubs to authorities to hubs.
func (m *topicModel) round(hubs map[string]float64, above float64) (next, authorities map[string]float64) {
	next, authorities = map[string]float64{}, map[string]float64{}
	for u, links := range m.links {
		for v := range links {
			if m.worth[v] > above {
				authorities[v] += hubs[u] * m.worth[v]
			}
		}
	}
	normal(authorities)
	for u, links := range m.links {
		for v := range links {
			next[u] += authorities[v] * m.worth[u]
		}
	}
	normal(next)
	return next, authorities
}

func length(x map[string]float64) (length float64) {
	for _, v := range x {
		length = math.Hypot(length, v)
	}
	return length
}

func normal(x map[string]float64) {
	l := max(length(x), 1e-300)
	for page := range x {
		x[page] /= l
	}
}

func apart(a, b map[string]float64) float64 {
	d := map[string]float64{}
	for page, v := range a {
		d[page] = v
	}
	for page, v := range b {
		d[page] -= v
	}
	return length(d)
}

// valuesOf are the values of a kind, by URL, and the pages in the order of their numbers.
func (c *crawl) valuesOf(s *State, kind uint64) (values map[string]float64, pages []string) {
	c.Helper()
	values = map[string]float64{}
	r := s.reading(kind)
	if err := s.Each(func(url []byte, _ float32, _ bool) error {
		value, err := r.at(uint64(len(pages)))
		values[string(url)], pages = float64(value), append(pages, string(url))
		return err
	}); err != nil {
		c.Fatal(err)
	}
	return values, pages
}

// TestDistill has links and judgements come in many runs, beside a model in memory: hubs and
// authorities are those of the equations, and the right pages are wanted.
func TestDistill(t *testing.T) {
	const above, hubs = 0.4, 5
	c := &crawl{TB: t, dir: t.TempDir()}
	m := &topicModel{model{map[string]map[string]bool{}, map[string]bool{}}, map[string]float64{}, map[string]uint64{},
		map[string]uint64{}}
	rnd := rand.New(rand.NewPCG(2, 2))
	url := func(n int) string { return fmt.Sprintf("http://h%d.test/%d", n%7, n) }
	distilled, again := 0, 0
	for n := 20; c.runs < 60; n += 10 {
		c.run(func(s *State) {
			var lines []string
			for range 40 {
				line := url(rnd.IntN(n)) + "\tvia=" + url(int(float64(n)*rnd.Float64()*rnd.Float64()))
				m.take(line)
				lines = append(lines, line)
				if rnd.IntN(4) == 0 {
					lines = append(lines, m.judge(url(rnd.IntN(n)), math.Round(100*rnd.Float64())/100))
				}
			}
			if c.take(s, lines...); int(s.Pages()) != len(m.pages) {
				t.Fatalf("run %d: %d pages, want %d", c.runs, s.Pages(), len(m.pages))
			}
			if !s.Due() {
				return
			}
			distilled++
			wanted := map[string]uint64{}
			d, err := s.Distill(Distilling{Hubs: hubs, Relevant: above}, func(w Wanted) error {
				if wanted[string(w.URL)] = w.Visit; w.Visit > 0 && int(w.Depth) != len(w.URL) {
					t.Errorf("%s has depth %d", w.URL, w.Depth)
				}
				return nil
			})
			if err != nil || d.Change >= centrality.Stable && d.Rounds < centrality.Rounds || s.Due() {
				t.Fatal(d, err)
			}
			if err := s.settle(); err != nil {
				t.Fatal(err)
			}
			got, pages := c.valuesOf(s, ofHubs)
			authorities, _ := c.valuesOf(s, ofAuthorities)
			next, wantAuthorities := m.round(got, above)
			if math.Abs(length(got)-1) > 1e-4 || apart(got, next) > 2*max(d.Change, centrality.Stable) ||
				apart(authorities, wantAuthorities) > 2*max(d.Change, centrality.Stable) {
				t.Fatalf("run %d: hubs of length %v are %v from those of a round more, authorities %v", c.runs,
					length(got), apart(got, next), apart(authorities, wantAuthorities))
			}
			want := m.want(got, pages, hubs, s.Links())
			for url, visit := range want {
				if again += int(min(visit, 1)); wanted[url] != visit {
					t.Errorf("run %d: %s is wanted for visit %d, want %d", c.runs, url, wanted[url], visit)
				}
			}
			if len(wanted) != len(want) {
				t.Errorf("run %d: wanted are %v, want %v", c.runs, wanted, want)
			}
		})
	}
	if distilled < 10 || distilled > 50 || len(m.asked) < 30 || again < 2 {
		t.Errorf("%d times distilled, %d pages wanted, %d again", distilled, len(m.asked), again)
	}
}

// want is what is to be fetched by these hubs.
func (m *topicModel) want(hubs map[string]float64, pages []string, most int, links uint64) map[string]uint64 {
	want, best := map[string]uint64{}, slices.Clone(pages)
	slices.SortStableFunc(best, func(a, b string) int {
		if hubs[a] > hubs[b] {
			return -1
		} else if hubs[a] < hubs[b] {
			return 1
		}
		return 0
	})
	best = slices.DeleteFunc(best[:most], func(u string) bool { return hubs[u] == 0 })
	for _, u := range best {
		if at, ok := m.asked[u]; !ok {
			m.asked[u] = links
		} else if links >= 2*at {
			m.visits[u]++
			m.asked[u], want[u] = links, m.visits[u]
		}
	}
	for _, u := range best {
		for v := range m.links[u] {
			_, judged := m.worth[v]
			if _, ok := m.asked[v]; !ok && !judged && len(m.links[v]) == 0 {
				m.asked[v], want[v] = links, 0
			}
		}
	}
	return want
}

// TestDistillGoesOn: what was distilled before is where the next time begins.
func TestDistillGoesOn(t *testing.T) {
	c, rnd := &crawl{TB: t, dir: t.TempDir()}, rand.New(rand.NewPCG(3, 3))
	c.run(func(s *State) {
		var lines []string
		for i := range 400 {
			lines = append(lines, fmt.Sprintf("http://a.test/%d\tworth=%.2f", i%200, rnd.Float64()),
				fmt.Sprintf("http://a.test/%d\tvia=http://a.test/%d", rnd.IntN(200), rnd.IntN(200)))
		}
		c.take(s, lines...)
		var rounds []int
		for range 2 {
			d, err := s.Distill(Distilling{1, 0.5}, func(Wanted) error { return nil })
			if err != nil {
				t.Fatal(err)
			}
			rounds = append(rounds, d.Rounds)
		}
		if rounds[1] > rounds[0]/2 {
			t.Errorf("%d rounds, and then %d", rounds[0], rounds[1])
		}
	})
}

// TestColumn: what a column writes is what a reading gives, of pages in several entries.
func TestColumn(t *testing.T) {
	c := &crawl{TB: t, dir: t.TempDir()}
	c.run(func(s *State) {
		const pages = 2*inColumn + 10
		w := column{State: s, kind: ofHubs}
		for page := range uint32(pages) {
			if err := w.add(page, float32(page)); err != nil {
				t.Fatal(err)
			}
		}
		if err := errors.Join(w.keep(), s.settle()); err != nil {
			t.Fatal(err)
		}
		for _, stride := range []uint64{1, 1000, inColumn, 2 * inColumn} {
			r := s.reading(ofHubs)
			for page := uint64(0); page < 3*inColumn; page += stride {
				want := float32(page)
				if page >= pages {
					want = 0
				}
				if got, err := r.at(page); err != nil || got != want {
					t.Fatalf("every %d: page %d has %v, want %v; %v", stride, page, got, want, err)
				}
			}
		}
	})
}

// TestList: the list of a tiny web says which pages are cited by which hubs.
func TestList(t *testing.T) {
	c := &crawl{TB: t, dir: t.TempDir()}
	c.run(func(s *State) {
		c.take(s, "http://x.test/\tworth=1", "http://y.test/\tworth=0.5", "http://hub.test/\tworth=1",
			"http://small.test/\tworth=0.5", "http://x.test/\tvia=http://hub.test/", "http://y.test/\tvia=http://hub.test/",
			"http://x.test/\tvia=http://small.test/", "http://new.test/\tvia=http://small.test/")
		for _, by := range []Distilling{{1, 0.4}, {9, 0.4}} {
			var wanted []string
			if _, err := s.Distill(by, func(w Wanted) error {
				wanted = append(wanted, string(w.URL))
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(wanted, " "); (got != "http://new.test/") == (by.Hubs == 9) {
				t.Errorf("with %d hubs, %q is wanted", by.Hubs, got)
			}
		}
		if err := s.settle(); err != nil {
			t.Fatal(err)
		}
		// x' = 1.25 x + 0.5 · …: a = (h1 + h2, h1/2), h1 = a1 + a2, h2 = a1/2, by power iteration
		hubs, authorities, err := s.List(9, 1)
		if err != nil {
			t.Fatal(err)
		}
		show := func(list []Listed) (lines []string) {
			for _, l := range list {
				lines = append(lines, fmt.Sprintf("%.3f %v %s %d %s", l.Value, l.Worth, l.URL, l.Links, l.Why[0].URL))
			}
			return lines
		}
		if got := show(hubs); !slices.Equal(got, []string{"0.939 1 http://hub.test/ 2 http://x.test/",
			"0.344 0.5 http://small.test/ 1 http://x.test/"}) {
			t.Errorf("hubs: %q", got)
		}
		if got := show(authorities); !slices.Equal(got, []string{"0.939 1 http://x.test/ 2 http://hub.test/",
			"0.344 0.5 http://y.test/ 1 http://hub.test/"}) {
			t.Errorf("authorities: %q", got)
		}
	})
}
