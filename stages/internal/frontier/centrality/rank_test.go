package centrality

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A web is the links of each page, as they stand on it.
type web [][]uint32

// randomWeb has pages without links, pages that nobody links to, links of a page to itself and
// links that stand on a page twice.
func randomWeb(r *rand.Rand, pages int) web {
	w := make(web, pages)
	for page := range w {
		for range max(0, r.IntN(9)-3) {
			to := uint32(float64(pages) * math.Pow(r.Float64(), 3))
			w[page] = append(w[page], to)
			if r.IntN(4) == 0 {
				w[page] = append(w[page], to)
			}
			if r.IntN(8) == 0 {
				w[page] = append(w[page], uint32(page))
			}
		}
		r.Shuffle(len(w[page]), func(i, j int) { w[page][i], w[page][j] = w[page][j], w[page][i] })
	}
	return w
}

// graph is the Graph of w with blocks of so many pages.
func (w web) graph(t testing.TB, size int) *Graph {
	t.Helper()
	g, err := newGraph(uint64(len(w)), uint64(size))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	for page, links := range w {
		if err := g.Add(uint32(page), links); err != nil {
			t.Fatal(err)
		}
	}
	return g
}

func rank(t testing.TB, g *Graph, enough float64, passes int) ([]float32, Outcome) {
	t.Helper()
	o, err := g.Rank(enough, passes)
	if err != nil {
		t.Fatal(err)
	}
	return ranksOf(t, g), o
}

func ranksOf(t testing.TB, g *Graph) (ranks []float32) {
	t.Helper()
	if err := g.Each(func(page uint32, rank float32) error {
		if int(page) != len(ranks) {
			t.Fatalf("page %d comes as number %d", page, len(ranks))
		}
		ranks = append(ranks, rank)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ranks
}

// linked tells for each pair of pages whether the first links to the second.
func (w web) linked() [][]bool {
	is := make([][]bool, len(w))
	for from, links := range w {
		is[from] = make([]bool, len(w))
		for _, to := range links {
			is[from][to] = int(to) != from
		}
	}
	return is
}

func count(row []bool) (n float64) {
	for _, is := range row {
		if is {
			n++
		}
	}
	return n
}

// solved is the solution of the equations R(p) - d Σ R(t)/c(t) = 1-d by elimination.
func (w web) solved() []float64 {
	n, is := len(w), w.linked()
	m := make([][]float64, n)
	for p := range m {
		m[p] = make([]float64, n+1)
		m[p][p], m[p][n] = 1, 1-0.85
		for t := range is {
			if is[t][p] {
				m[p][t] -= 0.85 / count(is[t])
			}
		}
	}
	for i := range m { // each column's sum off the diagonal is less than 1: no row is exchanged
		for j := range m {
			if j == i {
				continue
			}
			f := m[j][i] / m[i][i]
			for k := i; k <= n; k++ {
				m[j][k] -= f * m[i][k]
			}
		}
	}
	r := make([]float64, n)
	for i := range m {
		r[i] = m[i][n] / m[i][i]
	}
	return r
}

// divided are the ranks by the other way: a page without links passes its rank on to all pages.
func (w web) divided() []float64 {
	n, is := len(w), w.linked()
	r := make([]float64, n)
	for range 500 {
		next := make([]float64, n)
		for from := range is {
			c := count(is[from])
			for to := range is {
				if c == 0 {
					next[to] += 0.85 * r[from] / float64(n)
				} else if is[from][to] {
					next[to] += 0.85 * r[from] / c
				}
			}
		}
		for p := range next {
			next[p] += 1 - 0.85
		}
		r = next
	}
	return r
}

// apart is the greatest difference of two lists of ranks, in parts of the rank.
func apart(got []float32, want []float64) (most float64) {
	for i, r := range got {
		most = max(most, math.Abs(float64(r)-want[i])/want[i])
	}
	return most
}

func TestRanksSolveTheEquations(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(1, seed))
		w := randomWeb(r, 1+r.IntN(60))
		want := w.solved()
		for _, size := range []int{9, len(w)} {
			got, o := rank(t, w.graph(t, size), 1e-7, 300)
			if most := apart(got, want); most > 1e-5 {
				t.Errorf("seed %d, blocks of %d: %v\nis %v\nwant %v", seed, size, o, got, want)
			}
		}
	}
}

// The other way to treat pages without links changes the scale alone.
func TestDividedRanksAreProportional(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(2, seed))
		w := randomWeb(r, 2+r.IntN(50))
		got, o := rank(t, w.graph(t, 5), 1e-7, 300)
		for i := range got {
			got[i] *= float32(float64(len(w)) / o.Sum)
		}
		if most := apart(got, w.divided()); most > 1e-5 {
			t.Errorf("seed %d: %v\nwant %v", seed, got, w.divided())
		}
	}
}

// TestDistance holds the bound that the package comment gives: Σ |error| ≤ δ·d/(1-d).
func TestDistance(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(3, seed))
		w := randomWeb(r, 30+r.IntN(30))
		enough := math.Pow(10, -r.Float64()*4)
		got, o := rank(t, w.graph(t, 16), enough, 300)
		distance := 0.
		for i, want := range w.solved() {
			distance += math.Abs(float64(got[i]) - want)
		}
		if bound := o.Change * float64(len(w)) * Damping / (1 - Damping); o.Change >= enough || distance > bound+1e-5 {
			t.Errorf("seed %d, enough %v: %+v, distance %v > %v", seed, enough, o, distance, bound)
		}
	}
}

func TestPassesAreBounded(t *testing.T) {
	w := web{{1}, {0}, {0}}
	if _, o := rank(t, w.graph(t, 3), 0, 4); o.Passes != 4 || !(o.Change > 0) {
		t.Errorf("%+v", o)
	}
}

// TestSumsAreExact: in float32 the rank of a page with many links to it would be 1 ‰ off.
func TestSumsAreExact(t *testing.T) {
	w := make(web, 100_000)
	for page := range w[1:] {
		w[1+page] = []uint32{0}
	}
	got, _ := rank(t, w.graph(t, len(w)), 0, 1)
	if want := 0.15 + 0.85*0.15*float64(len(w)-1); math.Abs(float64(got[0])-want)/want > 1e-6 {
		t.Errorf("%v, want %v", got[0], want)
	}
}

// Ranks that fall count as those that rise, and a page that is given no rank begins with the least.
func TestChange(t *testing.T) {
	g := web{{1}, {0}, nil}.graph(t, 2)
	for _, r := range []float32{1.5, 0.5} {
		if err := g.Start(r); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := rank(t, g, 0, 0); got[2] != 1-Damping {
		t.Errorf("%v", got)
	}
	got, o := rank(t, g, 1e-6, 1)
	if apart(got, []float64{0.575, 1.425, 0.15}) > 1e-6 || math.Abs(o.Change-1.85/3) > 1e-6 ||
		math.Abs(o.Sum-2.15) > 1e-6 {
		t.Errorf("%v, %+v", got, o)
	}
}

// A graph that grew by a tenth has the ranks that it has from the beginning, after fewer passes.
func TestStart(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	grown := randomWeb(r, 2200)
	small := make(web, 2000)
	for page := range small {
		for _, to := range grown[page] {
			if int(to) < len(small) {
				small[page] = append(small[page], to)
			}
		}
	}
	last, _ := rank(t, small.graph(t, 512), 1e-6, 300)
	cold, c := rank(t, grown.graph(t, 512), 1e-6, 300)
	g := grown.graph(t, 512)
	for _, r := range last {
		if err := g.Start(r); err != nil {
			t.Fatal(err)
		}
	}
	warm, o := rank(t, g, 1e-6, 300)
	var want []float64
	for _, r := range cold {
		want = append(want, float64(r))
	}
	t.Logf("begun anew: %+v, with the last ranks: %+v", c, o)
	if most := apart(warm, want); most > 1e-4 || o.Passes >= c.Passes {
		t.Errorf("the ranks are %v apart", most)
	}
	if again, o := rank(t, g, 1e-6, 300); o.Passes != 1 || apart(again, want) > 1e-4 {
		t.Errorf("ranked again: %+v", o)
	}
}

// Ranks are the same bits for all blocks, and where a page's links fill several frames.
func TestBlocksDoNotChangeRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	w := randomWeb(r, 3*inFrame+5)
	for to := range w {
		w[len(w)/2] = append(w[len(w)/2], uint32(to))
	}
	want, first := rank(t, w.graph(t, len(w)), 0, 3)
	for _, size := range []int{1000, inFrame, 20_000, len(w) - 1} {
		got, o := rank(t, w.graph(t, size), 0, 3)
		if o != first {
			t.Errorf("blocks of %d: %+v, one block: %+v", size, o, first)
		}
		for page := range want {
			if math.Float32bits(got[page]) != math.Float32bits(want[page]) {
				t.Fatalf("blocks of %d: page %d has rank %v, in one block %v", size, page, got[page], want[page])
			}
		}
	}
}
