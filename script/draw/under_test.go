package draw

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"multitext/script"
)

// No arrow of the examples runs under the box of a stage or queue that it does not lead to or from,
// or beyond the picture.
func TestNoArrowRunsUnderABox(t *testing.T) {
	for _, name := range []string{"c4/c4", "tour/crawl", "site/site", "refresh/crawl", "rigs/starve/crawl",
		"words/words", "rigs/bench/crawl", "hostile/crawl"} {
		path := "../../examples/" + name + ".toml"
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
			continue
		}
		text = bytes.ReplaceAll(text, []byte(`node       = ""`), []byte(`node = "arts"`))
		s, err := script.Parse(path, text, nil)
		if err != nil {
			t.Error(err)
			continue
		}
		f := newFlow(s)
		ring := place(f, s)
		width, height := frame(f.nodes, margin)
		all := routes(f, ring)
		width, height = widen(f.nodes, all, margin, width, height)
		for _, r := range all {
			if slices.ContainsFunc(r.way(), func(p point) bool {
				return p.x < 0 || p.x > width || p.y < 0 || p.y > height+margin
			}) {
				t.Errorf("%s: the arrow from %s to %s leaves the picture", name, r.from.id, r.to.id)
			}
			for _, n := range beneath(r.way(), f.nodes, r.from, r.to) {
				t.Errorf("%s: the arrow from %s to %s runs under %s", name, r.from.id, r.to.id, n.id)
			}
		}
	}
}

// A queue that only one stage writes and reads is outside of the main cycle, next to its stage.
func TestLoopIsAtItsStage(t *testing.T) {
	text := "flow = 1\ndir = 'd'\n" +
		"[stage.a]\nin = ['p', 'own']\nout = ['q', 'own']\nrun = 'x'\n" +
		"[stage.b]\nin = 'q'\nout = 'p'\nrun = 'x'\n"
	s, err := script.Parse("loop.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := newFlow(s)
	place(f, s)
	stage, queue := f.stages[s.Stages[0]], f.queues[s.Queue("own")]
	if gap := stage.y - stage.h/2 - (queue.y + queue.h/2); gap != gapY || queue.x != stage.x {
		t.Errorf("own is at %v,%v, %v above a, which is at %v,%v; want %v above it", queue.x, queue.y, gap,
			stage.x, stage.y, gapY)
	}
}

// A curve that swings out of the picture on any side makes the picture larger.
func TestWiden(t *testing.T) {
	for _, d := range []point{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
		n := &node{}
		n.x, n.y = 100, 100
		out := func(x, y float64) port { return port{point{x, y}, d.x, d.y} }
		r := &route{a: out(60, 90), b: out(140, 110), pull: [2]float64{9, 9}}
		width, height := widen([]*node{n}, []*route{r}, 80, 200, 120)
		for _, p := range r.way() {
			if p.x < 0 || p.x > width || p.y < 79.9-margin/2 || p.y > height+margin/2 {
				t.Fatalf("a curve to %v is at %v, in a picture of %v × %v", d, p, width, height)
			}
		}
		if dx, dy := n.x-100, n.y-100; (dx > 0) != (d.x < 0) || (dy > 0) != (d.y < 0) {
			t.Errorf("a curve to %v moves the node by %v, %v", d, dx, dy)
		}
		if (width > 200) != (d.x != 0) || (height > 120) != (d.y != 0) {
			t.Errorf("a curve to %v makes the picture %v × %v", d, width, height)
		}
	}
}
