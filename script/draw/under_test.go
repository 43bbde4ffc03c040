package draw

import (
	"bytes"
	"os"
	"testing"

	"multitext/script"
)

// No arrow of the examples runs under the box of a stage or queue that it does not lead to or from.
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
		for _, r := range routes(f, place(f, s)) {
			for _, n := range beneath(r.way(), f.nodes, r.from, r.to) {
				t.Errorf("%s: the arrow from %s to %s runs under %s", name, r.from.id, r.to.id, n.id)
			}
		}
	}
}
