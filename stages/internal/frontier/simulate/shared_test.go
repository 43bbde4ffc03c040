package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A tally is what a plain search of the graph says that crawlers come to: which of them fetches which page, and
// what that costs.
type tally struct {
	fetched map[[2]int]bool // crawler and page
	sent    Counts
}

// search searches the graph from the seeds as crawlers in a mode do that fetch all that they know at once; an
// Exchange of less than a round is one each round. It knows no orders, and has nothing of the package but Shared.
func search(g *Graph, seeds []uint32, s Shared) tally {
	all := tally{fetched: map[[2]int]bool{}}
	owner := func(crawler int, page uint32) int {
		if s.Owner == nil {
			return crawler
		}
		return s.Owner(page)
	}
	type sent struct {
		to   int
		page uint32
	}
	known, aside := make([][]uint32, s.Crawlers), make([][]uint32, s.Crawlers)
	held, way := make([][]sent, s.Crawlers), []sent{}
	ever := map[[2]int]bool{}
	for i, page := range append(slices.Clone(seeds), s.Replicated...) {
		w := owner(i%s.Crawlers, page)
		known[w] = append(known[w], page)
	}
	since := 0
	for {
		arrived, round, waits := way, 0, false
		way = nil
		for w := range s.Crawlers {
			batch := known[w]
			known[w] = nil
			fetched := 0
			for from := 0; from < len(batch) || fetched == 0 && len(aside[w]) > 0; from++ {
				if from == len(batch) {
					batch, aside[w] = append(batch, aside[w][0]), aside[w][1:]
				}
				page := batch[from]
				if all.fetched[[2]int{w, int(page)}] {
					continue
				}
				all.fetched[[2]int{w, int(page)}] = true
				fetched++
				for _, to := range g.Links[page] {
					switch o := owner(w, to); {
					case o == w:
						known[w] = append(known[w], to)
					case s.Others == Drop:
						all.sent.Dropped++
					case s.Others == Aside:
						if !ever[[2]int{w, int(to)}] {
							aside[w] = append(aside[w], to)
							all.sent.Aside++
						}
						ever[[2]int{w, int(to)}] = true
					case slices.Contains(s.Replicated, to):
						all.sent.Replicated++
					default:
						held[w] = append(held[w], sent{o, to})
					}
				}
			}
			round, waits = round+fetched, waits || len(held[w])+len(aside[w]) > 0
		}
		for _, l := range arrived {
			known[l.to] = append(known[l.to], l.page)
		}
		if since += round; since >= s.Exchange || round == 0 && len(arrived) == 0 {
			since = 0
			for w := range held {
				now, to := map[uint32]bool{}, map[int]bool{}
				for _, l := range held[w] {
					now[l.page], to[l.to], ever[[2]int{w, int(l.page)}] = true, true, true
				}
				all.sent.Each += uint64(len(held[w]))
				all.sent.Batch += uint64(len(now))
				all.sent.Messages += uint64(len(to))
				way, held[w] = append(way, held[w]...), nil
			}
		}
		if round == 0 && len(arrived) == 0 && !waits {
			all.sent.Ever = uint64(len(ever)) - all.sent.Aside
			return all
		}
	}
}

// inMode returns rules of crawlers that fetch all that they know at once.
func inMode(t *testing.T, g *Graph, s Shared) Rules {
	r := rules(t, g, "breadth")
	r.Batch, r.Shared = 1_000_000, s
	return r
}

// TestModes: in each mode each crawler fetches what a plain search says, each page once, and sends as much.
func TestModes(t *testing.T) {
	chance := rand.New(rand.NewPCG(3, 4))
	for round := range 40 {
		n := 2 + chance.IntN(80)
		links := make([][]uint32, n)
		for from := range links {
			for range chance.IntN(4) {
				if to := uint32(chance.IntN(n)); int(to) != from && !slices.Contains(links[from], to) {
					links[from] = append(links[from], to)
				}
			}
		}
		g := graphOf(links, func(i int) string { return fmt.Sprintf("h%d.test", i/5) })
		some := func(most int) (pages []uint32) {
			for range chance.IntN(most + 1) {
				pages = append(pages, uint32(chance.IntN(n)))
			}
			return pages
		}
		crawlers, of := 2+chance.IntN(6), make([]int, n)
		for i := range of {
			of[i] = chance.IntN(crawlers)
		}
		s := Shared{Crawlers: crawlers, Owner: func(page uint32) int { return of[page] }}
		modes := []Shared{{Crawlers: crawlers}, s, s, s, s, s, s, s}
		modes[2].Exchange = 1 + chance.IntN(n)
		modes[3].Others = Drop
		modes[4].Others = Aside
		modes[5].Replicated = some(n / 4)
		modes[6].Others, modes[6].Replicated = Drop, modes[5].Replicated
		modes[7].Others, modes[7].Replicated = Aside, modes[5].Replicated
		seeds := append(some(8), 0)
		for i, s := range modes {
			compare(t, fmt.Sprintf("graph %d, mode %d", round, i), g, seeds, inMode(t, g, s))
		}
	}
}

// compare holds a crawl against a plain search.
func compare(t *testing.T, name string, g *Graph, seeds []uint32, r Rules) {
	t.Helper()
	got, err := g.Crawl(seeds, r)
	if err != nil {
		t.Fatal(err)
	}
	want := search(g, seeds, r.Shared)
	if len(got.Pages) != len(got.By) || len(got.Pages) != len(want.fetched) {
		t.Errorf("%s: %d pages by %d crawlers, want %d", name, len(got.Pages), len(got.By), len(want.fetched))
	}
	for i, page := range got.Pages {
		if at := [2]int{int(got.By[i]), int(page)}; !want.fetched[at] {
			t.Errorf("%s: crawler and page %d are fetched twice, or should not be", name, at)
		} else {
			delete(want.fetched, at)
		}
	}
	if got.Sent != want.sent {
		t.Errorf("%s: sent %+v, want %+v", name, got.Sent, want.sent)
	}
}

// TestCrossOver: no crawler follows a link that is aside while a page of its own waits, and it follows at most so
// many at once; so what several fetch comes last.
func TestCrossOver(t *testing.T) {
	g := synthetic(400)
	r := rules(t, g, "breadth")
	r.Batch, r.Shared = 4, Shared{Crawlers: 4, Others: Aside, Owner: func(page uint32) int { return int(page) / 100 }}
	got, err := g.Crawl([]uint32{3, 103, 203, 303}, r)
	if err != nil {
		t.Fatal(err)
	}
	own := len(crawled(t, g, []uint32{3, 103, 203, 303}, rules(t, g, "breadth")))
	if own < 390 || len(got.Pages) != 4*own {
		t.Errorf("%d pages are fetched, want all %d by each", len(got.Pages), own)
	}
	met, fetched := [4]map[uint32]bool{}, [4]map[uint32]bool{}
	for w := range met {
		met[w], fetched[w] = map[uint32]bool{uint32(100*w + 3): true}, map[uint32]bool{}
	}
	foreign := 0
	for i, page := range got.Pages {
		w := int(got.By[i])
		if r.Owner(page) != w {
			foreign++
			for own := range met[w] {
				if r.Owner(own) == w && !fetched[w][own] {
					t.Fatalf("fetch %d: crawler %d follows a link to page %d while its page %d waits", i, w, page, own)
				}
			}
		}
		fetched[w][page] = true
		for _, to := range g.Links[page] {
			met[w][to] = true
		}
	}
	if foreign != 3*own {
		t.Errorf("%d pages of others are fetched, want all", foreign)
	}
}

// TestFollow: the first crawler has 0 and 1. Of the links that are aside, to 2 3 4 5, it follows so many at once;
// behind 2 it knows its own page 1, which is deeper than those that it followed with 2.
func TestFollow(t *testing.T) {
	g := graphOf([][]uint32{{2, 3, 4, 5}, {}, {1}, {}, {}, {}}, func(int) string { return "a.test" })
	r := rules(t, g, "breadth")
	r.Batch, r.Shared = 2, Shared{Crawlers: 2, Others: Aside}
	r.Owner = func(page uint32) int { return min(int(page)/2, 1) }
	for follow, want := range []string{"[0 2 1 3 4 5]", "[0 2 1 3 4 5]", "[0 2 3 1 4 5]", "[0 2 3 4 1 5]"} {
		r.Follow = follow
		if got := fmt.Sprint(crawled(t, g, []uint32{0}, r)); got != want {
			t.Errorf("%d at once: %s, want %s", follow, got, want)
		}
	}
}

// TestFollowRanked: pages of others that wait rise as those of its own do: 4, to which 1 links, goes before 2.
func TestFollowRanked(t *testing.T) {
	g := graphOf([][]uint32{{1, 2, 3, 4}, {4}, {}, {}, {}}, func(int) string { return "a.test" })
	r := rules(t, g, "pagerank")
	r.Batch, r.Shared = 2, Shared{Crawlers: 2, Others: Aside, Follow: 10}
	r.Owner = func(page uint32) int { return int(min(page, 1)) }
	if got, want := crawled(t, g, []uint32{0}, r), []uint32{0, 1, 4, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestExchange: links wait for the exchange until so many pages are fetched, or none can be.
func TestExchange(t *testing.T) {
	// 0 to 3 and 4 to 7 are two chains; 0 links to 4, 1 to 5, of the second crawler, which follows its own to 6 first.
	g := graphOf([][]uint32{{1, 4}, {2, 5}, {3}, {}, {6}, {7}, {}, {}}, func(int) string { return "a.test" })
	r := rules(t, g, "breadth")
	r.Batch, r.Shared = 2, Shared{Crawlers: 2, Owner: func(page uint32) int { return int(page) / 4 }}
	for exchange, want := range map[int]string{
		0:   "[[0] [1] [2] [4] [3] [6] [5] [7]]",
		1:   "[[0] [1] [2] [4] [3] [6] [5] [7]]",
		2:   "[[0] [1] [2] [3] [4] [5] [6] [7]]",
		100: "[[0] [1] [2] [3] [4] [5] [6] [7]]",
	} {
		r.Exchange = exchange
		if got := fmt.Sprint(batches(t, g, []uint32{0}, r)); got != want {
			t.Errorf("an exchange every %d pages: %s, want %s", exchange, got, want)
		}
		got, _ := g.Crawl([]uint32{0}, r)
		if want := map[int]uint64{0: 2, 1: 2, 2: 1, 100: 1}[exchange]; got.Sent.Messages != want {
			t.Errorf("an exchange every %d pages: %d messages, want %d", exchange, got.Sent.Messages, want)
		}
	}
}

// TestSending: what the second crawler, which has 2 and 3, fetches first when the first has fetched 0 and 1, by what
// is sent of the links. 2 is the older; 3 has one link more, which is on a page of great worth. Where 3 is of the
// domain of that page it has as many of other domains as 2.
//
//	0 ─► 1 2 3    1 ─► 3
func TestSending(t *testing.T) {
	const apart, together = "abcd", "baca" // domains of the pages
	for _, test := range []struct {
		order, domains string
		sending        Sending
		want           string
		sums           uint64
	}{
		{"backlink", apart, Each, "[3 2]", 0}, {"backlink", apart, Once, "[2 3]", 0},
		{"backlink", apart, Sum, "[3 2]", 2}, {"backlink", together, Sum, "[3 2]", 3},
		{"backlink-others", together, Each, "[2 3]", 0}, {"backlink-others", apart, Sum, "[3 2]", 2},
		{"backlink-others", together, Sum, "[2 3]", 3},
		{"score", apart, Each, "[3 2]", 0}, {"score", apart, Once, "[2 3]", 0}, {"score", apart, Sum, "[3 2]", 2},
	} {
		g := graphOf([][]uint32{{1, 2, 3}, {3}, {}, {}},
			func(i int) string { return fmt.Sprintf("%c.test", test.domains[i]) })
		r := rules(t, g, test.order)
		r.Batch, r.Shared = 2, Shared{Crawlers: 2, Exchange: 2, Sending: test.sending}
		r.Owner = func(page uint32) int { return int(page) / 2 }
		if test.order == "score" {
			r.Focus, r.Worth = true, []float64{0.2, 0.9, 0, 0}
		}
		got, err := g.Crawl([]uint32{0}, r)
		if err != nil {
			t.Fatal(err)
		}
		want := Counts{Each: 3, Batch: 2, Ever: 2, Sums: test.sums, Messages: 1}
		if last := fmt.Sprint(got.Pages[2:]); last != test.want || got.Sent != want {
			t.Errorf("%+v: %s, and sent %+v, want %+v", test, last, got.Sent, want)
		}
	}
}

// TestReplicatedAlone: what is replicated is a seed of one crawler, too, so that it can be held against several.
func TestReplicatedAlone(t *testing.T) {
	g := small()
	r := rules(t, g, "breadth")
	r.Replicated = []uint32{7, 6}
	if got, want := crawled(t, g, []uint32{8, 7}, r), []uint32{8, 7, 6}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestRulesWrong: rules that make no sense are refused.
func TestRulesWrong(t *testing.T) {
	g := small()
	for name, change := range map[string]func(*Rules){
		"no batch":                              func(r *Rules) { r.Batch = 0 },
		"replicated for nothing":                func(r *Rules) { r.Crawlers, r.Replicated = 2, []uint32{1} },
		"more crawlers than By has numbers for": func(r *Rules) { r.Crawlers = 1<<16 + 1 },
	} {
		r := rules(t, g, "breadth")
		if change(&r); true {
			if _, err := g.Crawl([]uint32{0}, r); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}
