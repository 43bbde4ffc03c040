package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestKnownLinks: links to URLs that are known are counted, and bring a URL to the front; with an
// order that does not count them they leave the flow all the same.
func TestKnownLinks(t *testing.T) {
	fresh := stagetest.Write(t, "fresh.zst", "http://a.test/1\tdepth=1\tvia=http://a.test/", "http://a.test/2\tdepth=1")
	known := stagetest.Write(t, "known.zst", "http://a.test/2\tdepth=3\tvia=http://b.test/\tknown=1",
		"http://a.test/2\tscore=0.1\tvia=http://c.test/\tknown=1", "mailto:x\tknown=1")
	for order, first := range map[string]string{"breadth": "1", "backlink": "2", "backlink=0.7,breadth=0.3": "2",
		"opic": "2", "score": "2", "score,breadth": "2"} {
		dir := t.TempDir()
		file := func(name string) string { return filepath.Join(dir, name) }
		r := stagetest.MustRun(t, tool(), setup, "", "-new", file("new"), "-wake", file("wake.zst"), "-out",
			file("out.zst"), "-urls", "1", "-order", order, known, fresh)
		r.Wants(t, "in 5", "reason known 3", "reason waits 2", "gauge waiting 1")
		want := "http://a.test/" + first + "\tdepth=1"
		if got := stagetest.Lines(t, file("out.zst")); len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: %q goes out, want %s as it came in", order, got, want)
		}
	}
	for _, order := range []string{"", "best", "backlink=0", "backlink=x"} {
		if r := stagetest.Run(t, tool(), setup, "", "-order", order, fresh); r.Code != stage.ExitUsage {
			t.Errorf("-order %q: exit %d; %s", order, r.Code, fmt.Sprint(r.Stderr))
		}
	}
}
