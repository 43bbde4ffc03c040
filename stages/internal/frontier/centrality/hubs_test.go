package centrality

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A topical web is a web and the relevance of its pages; that of a page that was not judged is 0.
type topical struct {
	web
	worth []float64
}

func randomTopical(r *rand.Rand, pages int) topical {
	t := topical{randomWeb(r, pages), make([]float64, pages)}
	for page := range t.worth {
		if r.IntN(3) > 0 {
			t.worth[page] = float64(float32(r.Float64()))
		}
	}
	return t
}

// hubs is the Hubs of the web with blocks of so many pages.
func (w topical) hubs(t testing.TB, size int, above float64) *Hubs {
	t.Helper()
	g, err := newGraph(uint64(len(w.web)), uint64(size))
	if err != nil {
		t.Fatal(err)
	}
	h, err := newHubs(g, above)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	for page, worth := range w.worth {
		if worth > 0 || page%2 > 0 {
			if err := h.Judge(uint32(page), worth); err != nil {
				t.Fatal(err)
			}
		}
	}
	for page, links := range w.web {
		if err := h.Add(uint32(page), slices.Clone(links)); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func distill(t testing.TB, h *Hubs, enough float64, rounds int) (hubs, authorities []float32, d Distilled) {
	t.Helper()
	d, err := h.Distill(enough, rounds)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Each(func(page uint32, hub, authority float32) error {
		if int(page) != len(hubs) {
			t.Fatalf("page %d comes as number %d", page, len(hubs))
		}
		hubs, authorities = append(hubs, hub), append(authorities, authority)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return hubs, authorities, d
}

// naive are hubs and authorities as the paper has them: a weight on each edge, each way, as many
// rounds as are asked for, from hubs that are all the same.
func (w topical) naive(above float64, rounds int) (hubs, authorities []float64) {
	hubs, authorities = make([]float64, len(w.web)), make([]float64, len(w.web))
	for page, worth := range w.worth {
		if worth > 0 {
			hubs[page] = 1
		}
	}
	is := w.linked()
	for range rounds {
		clear(authorities)
		for u := range is {
			for v := range is {
				if is[u][v] && w.worth[v] > above {
					authorities[v] += hubs[u] * w.worth[v]
				}
			}
		}
		normal(authorities)
		clear(hubs)
		for u := range is {
			for v := range is {
				if is[u][v] {
					hubs[u] += authorities[v] * w.worth[u]
				}
			}
		}
		normal(hubs)
	}
	return hubs, authorities
}

func normal(x []float64) {
	length := 0.0
	for _, v := range x {
		length += v * v
	}
	for i := range x {
		x[i] /= math.Sqrt(max(length, 1e-300))
	}
}

// off is the distance of two vectors.
func off(got []float32, want []float64) (squares float64) {
	for i, v := range got {
		squares += (float64(v) - want[i]) * (float64(v) - want[i])
	}
	return math.Sqrt(squares)
}

// TestDistillByHand has the eigenvectors of a web of two hubs, from the equations on paper. With h0 = x
// and h1 = y, a2 = x+y and a4 = 0.8y, so x' = x+y and y' = 0.5(x+y) + 0.4y.
func TestDistillByHand(t *testing.T) {
	w := topical{web{
		{2, 3}, // R = 1; 3 is not above ρ
		{2, 4, 5},
		nil, nil, nil, nil,
		{2, 4}, // R = 0: irrelevant, so no hub, and what it cites is no authority by that
		{2},    // never judged
	}, []float64{1, 0.5, 1, 0.5, 0.8, 0, 0, 0}}
	hubs, authorities, d := distill(t, w.hubs(t, 3, 0.5), 1e-6, 100)
	if d.Change >= 1e-6 || off(hubs, []float64{0.83504, 0.55018, 0, 0, 0, 0, 0, 0}) > 1e-4 ||
		off(authorities, []float64{0, 0, 0.95305, 0, 0.30283, 0, 0, 0}) > 1e-4 {
		t.Errorf("%+v: hubs %v, authorities %v", d, hubs, authorities)
	}
}

// TestDistillAsNaive: random webs have the hubs and authorities of a plain program, in blocks too.
func TestDistillAsNaive(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(8, seed))
		w, above := randomTopical(r, 1+r.IntN(60)), r.Float64()/2
		rounds := 1 + r.IntN(20)
		wantHubs, wantAuthorities := w.naive(above, rounds)
		for _, size := range []int{9, len(w.web)} {
			hubs, authorities, d := distill(t, w.hubs(t, size, above), 0, rounds)
			empty := d.Change == 0 // no edges, or one hub alone
			if d.Rounds != rounds && !empty {
				t.Errorf("seed %d: %+v, want %d rounds", seed, d, rounds)
			}
			if off(hubs, wantHubs) > 1e-5 || off(authorities, wantAuthorities) > 1e-5 {
				t.Errorf("seed %d, blocks of %d, %+v:\nhubs %v\nwant %v\nauthorities %v\nwant %v", seed, size, d,
					hubs, wantHubs, authorities, wantAuthorities)
			}
		}
	}
}

// TestDistillSeveralFrames: a page with so many links that they fill several frames is gathered whole.
func TestDistillSeveralFrames(t *testing.T) {
	const pages = 60_000
	w := topical{make(web, pages), make([]float64, pages)}
	for page := range w.worth {
		w.worth[page] = 1
		if page > 2 {
			w.web[1] = append(w.web[1], uint32(page))
		}
	}
	w.web[2] = []uint32{pages - 1}
	for _, size := range []int{7000, pages} {
		hubs, authorities, _ := distill(t, w.hubs(t, size, 0.5), 1e-9, 1)
		each := 1 / math.Sqrt(pages-4+4) // one authority is cited by both
		if math.Abs(float64(authorities[3])-each) > 1e-4 || math.Abs(float64(hubs[1])-1) > 1e-4 ||
			hubs[0] != 0 || math.Abs(float64(hubs[2]/hubs[1])-2.0/(pages-4+2)) > 1e-7 {
			t.Errorf("blocks of %d: hubs %v, authority %v, want %v", size, hubs[:3], authorities[3], each)
		}
	}
}

// TestDistillWarm: from the hubs of the last time the result is the same, after fewer rounds; a
// part of the web that grew beyond the hubs of the last time takes their place.
func TestDistillWarm(t *testing.T) {
	w := randomTopical(rand.New(rand.NewPCG(9, 9)), 500)
	cold, _, c := distill(t, w.hubs(t, 100, 0.3), 1e-5, 300)
	h := w.hubs(t, 100, 0.3)
	for _, hub := range cold {
		if err := h.Start(hub); err != nil {
			t.Fatal(err)
		}
	}
	var want []float64
	for _, hub := range cold {
		want = append(want, float64(hub))
	}
	warm, _, d := distill(t, h, 1e-5, 300)
	t.Logf("begun anew: %+v, with the last hubs: %+v", c, d)
	if d.Rounds >= c.Rounds || off(warm, want) > 1e-3 {
		t.Errorf("begun anew %+v, with the last hubs %+v, %v apart", c, d, off(warm, want))
	}

	two := topical{web{{1}, nil, {3, 4}, nil, nil}, []float64{1, 1, 1, 1, 1}}
	h = two.hubs(t, 5, 0.5)
	if err := h.Start(1); err != nil { // of before there were links to 4
		t.Fatal(err)
	}
	if hubs, _, d := distill(t, h, 1e-5, 300); hubs[2] < 0.99 {
		t.Errorf("%+v: hubs %v, want page 2", d, hubs)
	}
}

// TestDistillRefused: what is out of order, or no relevance, is an error.
func TestDistillRefused(t *testing.T) {
	for name, do := range map[string]func(h *Hubs) error{
		"a page twice":      func(h *Hubs) error { return h.Judge(5, 1) },
		"no page":           func(h *Hubs) error { return h.Judge(10, 1) },
		"above 1":           func(h *Hubs) error { return h.Judge(6, 1.1) },
		"below 0":           func(h *Hubs) error { return h.Judge(6, -0.1) },
		"no number":         func(h *Hubs) error { return h.Judge(6, math.NaN()) },
		"behind links":      func(h *Hubs) error { return errors.Join(h.Add(0, nil), h.Judge(6, 1)) },
		"a link to no page": func(h *Hubs) error { return h.Add(5, []uint32{10}) },
		"links of no page":  func(h *Hubs) error { return h.Add(1<<20, []uint32{5}) },
		"too many hubs": func(h *Hubs) (err error) {
			for range 11 {
				err = errors.Join(err, h.Start(0))
			}
			return err
		},
	} {
		h, err := NewHubs(10, 1<<20, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		defer h.Close()
		if err := h.Judge(5, 1); err != nil {
			t.Fatal(err)
		}
		if do(h) == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestTop(t *testing.T) {
	top := Top{Most: 3}
	for page, value := range []float32{0.1, 0, 0.5, 0.5, 0.2, 0.9, 0, 0.3} {
		top.Offer(uint32(page), value)
	}
	if got := top.Best(); !slices.Equal(got, []Valued{{5, 0.9}, {2, 0.5}, {3, 0.5}}) {
		t.Errorf("%v", got)
	}
}
