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
		leftmost, top, rightmost, bottom := bounds(slices.Values(f.nodes))
		for _, r := range routes(f, ring) {
			if slices.ContainsFunc(r.way(), func(p point) bool {
				return p.x < leftmost-margin || p.x > rightmost+margin || p.y < top-margin || p.y > bottom+margin
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
