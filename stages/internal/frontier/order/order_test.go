package order

import (
	"slices"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
)

// TestOrders gives the URLs of each order in the order of their bands.
func TestOrders(t *testing.T) {
	for name, lines := range map[string][]string{
		"breadth": {"http://a/1", "http://a/2\tdepth=1", "http://a/3\tdepth=70", "http://a/4\ttries=1",
			"http://a/5\tdepth=2\ttries=1"},
		"depth": {"http://a/1\tdepth=70", "http://a/2\tdepth=2", "http://a/3", "http://a/4\tdepth=9\ttries=1"},
		"score": {"http://a/1\tscore=1", "http://a/2\tscore=0.9", "http://a/3\tscore=0.5", "http://a/4\tscore=x",
			"http://a/5\tscore=1\ttries=2", "http://a/6\tscore=1\ttries=99"},
	} {
		o, err := New(name, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []uint8
		for _, line := range lines {
			rec, err := urlbatch.Parse([]byte(line))
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, Own(o, rec))
		}
		if !slices.IsSorted(got) || len(slices.Compact(got)) != len(lines) {
			t.Errorf("%s: bands %v of %q", name, got, lines)
		}
	}
}

// TestBack: what a run gave back without a try is behind better classes and before its own.
func TestBack(t *testing.T) {
	breadth, err := New("breadth", nil)
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]uint8{"http://a/\tdepth=3\tback=1": 2, "http://a/\tback=1": 0,
		"http://a/\tdepth=3\ttries=1\tback=1": 66, "http://a/\ttries=1\tback=1": 64} {
		rec, err := urlbatch.Parse([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		if got := Band(breadth, rec); got != want {
			t.Errorf("%q is in band %d, want %d", line, got, want)
		}
	}
}

// TestNoScore: what is no number from 0 to 1 is the nearest such number.
func TestNoScore(t *testing.T) {
	byScore, err := New("score", nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]uint8{"": 63, "NaN": 63, "-1": 63, "-Inf": 63, "2": 0, "Inf": 0, "1e-9": 63,
		"0.999": 1} {
		rec := urlbatch.New("http://a/")
		rec.Set(urlbatch.Score, text)
		if got := Own(byScore, rec); got != want {
			t.Errorf("score=%s has class %d, want %d", text, got, want)
		}
	}
}

// TestRandom: the bands of random are spread.
func TestRandom(t *testing.T) {
	o, _ := New("random", nil)
	count := [classes]int{}
	for i := range 6400 {
		rec := urlbatch.New("http://a/")
		rec.SetURL([]byte("http://a/" + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))))
		count[Band(o, rec)]++
	}
	if slices.Min(count[:]) < 50 || slices.Max(count[:]) > 160 {
		t.Errorf("URLs in each class: %v", count)
	}
}

// TestHalve: what an order gives is halved, and tries stay as they are.
func TestHalve(t *testing.T) {
	for _, c := range []struct {
		band     uint8
		halvings int
		want     uint8
	}{{0, 0, 0}, {0, 1, 32}, {0, 2, 48}, {1, 1, 32}, {3, 1, 33}, {63, 3, 63}, {0, 6, 63}, {64 + 5, 0, 64 + 5},
		{64, 1, 64 + 32}, {255, 6, 255}, {192, 6, 255}} {
		if got := Halve(c.band, c.halvings); got != c.want {
			t.Errorf("band %d, %d halvings: %d, want %d", c.band, c.halvings, got, c.want)
		}
	}
}

// TestLearned: the part learned goes by log-odds from -6 to 6, alone and in sums.
func TestLearned(t *testing.T) {
	alone, sum := mustNew(t, "learned"), mustNew(t, "learned=0.5,breadth=0.5")
	if alone.Model() == nil || sum.Model() == nil || mustNew(t, "breadth").Model() != nil {
		t.Fatal("a model is there where nothing is learned, or is not")
	}
	law, sport := urlbatch.New("http://a.test/law"), urlbatch.New("http://a.test/sport")
	if a, s := Band(alone, law), Band(sum, law); a != 32 || s != 16 {
		t.Errorf("with nothing learned: bands %d and %d, want 32 and 16", a, s)
	}
	for _, o := range []*Order{alone, sum} {
		for range 20_000 {
			o.Model().Learn(law, 1)
			o.Model().Learn(sport, 0)
		}
	}
	if a, b := Band(alone, law), Band(alone, sport); a > 8 || b < 55 {
		t.Errorf("alone: bands %d and %d", a, b)
	}
	if a, b := Band(sum, law), Band(sum, sport); a > 4 || b < 27 || b > 32 {
		t.Errorf("in a sum: bands %d and %d", a, b)
	}
}
