package order

import (
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
)

func mustNew(t *testing.T, text string) *Order {
	t.Helper()
	o, err := New(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// TestLift: each doubling of links, and each of cash, is another class; tries stay in front.
func TestLift(t *testing.T) {
	for _, c := range []struct {
		order string
		links Links
		want  uint8 // 63 - 63·v, rounded up
	}{
		{"backlink", Links{}, 63},
		{"backlink", Links{All: 1}, 60},            // 63·1/20 = 3.15
		{"backlink", Links{All: 2}, 57},            // 63·2/20 = 6.3
		{"backlink", Links{All: 3, Others: 3}, 57}, // as 2
		{"backlink", Links{All: 4}, 54},            // 63·3/20 = 9.45
		{"backlink", Links{All: 1 << 19}, 0},       // 63·20/20
		{"backlink", Links{All: 1 << 40}, 0},       // no more than that
		{"backlink-others", Links{All: 9, Others: 1}, 60},
		{"opic", Links{}, 63},
		{"opic", Links{Cash: 1}, 0},
		{"opic", Links{Cash: 300}, 0},
		{"opic", Links{Cash: 0.99}, 1},
		{"opic", Links{Cash: 0.5}, 1},
		{"opic", Links{Cash: 0.49}, 2},
		{"opic", Links{Cash: 1e-300}, 63},
		{"score", Links{}, 63},
		{"score", Links{Score: 1}, 0},
		{"score", Links{Score: 0.5}, 32},                // 63·0.5 = 31.5
		{"pagerank", Links{Score: 31. / 63}, 32},        // which a float32 is not quite
		{"backlink=3,score=1", Links{All: 1}, 61},       // 63·(3/4)·1/20 = 2.4
		{"backlink=0.75,score=0.25", Links{All: 1}, 61}, // the same weights
	} {
		o := mustNew(t, c.order)
		if got := o.Lift(Band(o, urlbatch.New("http://a/")), c.links); got != c.want {
			t.Errorf("%s of %+v: band %d, want %d", c.order, c.links, got, c.want)
		}
		if got := o.Lift(63+64, c.links); got != c.want+64 {
			t.Errorf("%s of %+v, one try: band %d, want %d", c.order, c.links, got, c.want+64)
		}
	}
}

// TestSum: a weighted sum of static parts, and one of both kinds.
func TestSum(t *testing.T) {
	o := mustNew(t, "score=1,breadth=3")
	rec := urlbatch.New("http://a/")
	rec.Set(urlbatch.Score, "0.5")
	rec.Set(urlbatch.Depth, "21")
	// 1 - (3/4)·(1 - 21/63) = 0.5, and 0.5·63 = 31.5; the score lifts by (1/4)·0.5·63 = 7.9
	if got := Own(o, rec); got != 32-7 || !o.Rises() || !o.Scored() || o.Cash() {
		t.Errorf("band %d, want 25; rises %v, scored %v, cash %v", got, o.Rises(), o.Scored(), o.Cash())
	}
	o = mustNew(t, "depth,breadth=3")
	// 1 - (1/4)·21/63 - (3/4)·(1 - 21/63) = 5/12, and 63·5/12 = 26.25
	if got := Own(o, rec); got != 27 || o.Rises() || o.Scored() {
		t.Errorf("band %d, want 27; rises %v, scored %v", got, o.Rises(), o.Scored())
	}
	o = mustNew(t, "opic,score")
	// a cash of 1 and a score of 0.5 lift by (0.5·1 + 0.5·0.5)·63 = 47.25
	if got := o.Lift(Band(o, rec), Links{Cash: 1, Score: Score(rec)}); got != 63-47 || !o.Rises() || !o.Cash() {
		t.Errorf("band %d, want 16; rises %v, cash %v", got, o.Rises(), o.Cash())
	}
}

// TestNoOrder: what names no order is an error that says what is wrong.
func TestNoOrder(t *testing.T) {
	for text, want := range map[string]string{"best": "backlink", "": "breadth", "score,": "no order",
		"score=x": "weight",
		"score=0": "weight", "score=-1": "weight", "score=NaN": "weight", "score=Inf": "weight", "score=": "weight"} {
		if _, err := New(text, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
