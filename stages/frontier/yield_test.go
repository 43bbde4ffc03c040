package main

import (
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestJudgedRecords: what answers were worth leaves the flow, and is what -explain says of the host.
func TestJudgedRecords(t *testing.T) {
	dir := t.TempDir()
	r := stagetest.MustRun(t, tool(), setup,
		"http://a.test/\tworth=0\nhttp://a.test/1\tworth=1\tdepth=1\nmailto:x\tworth=1\n",
		"-out", filepath.Join(dir, "out.zst"), "-wake", filepath.Join(dir, "wake.zst"),
		"-new", filepath.Join(dir, "new"))
	if !r.Has("reason judged 2") || !r.Has("reason no-host 1") || r.Has("reason waits") {
		t.Errorf("report:\n%s", r.Report)
	}
	judged := make([]string, 550)
	for i := range judged {
		if judged[i] = "http://b.test/\tworth=1"; i >= 500 {
			judged[i] = "http://a.test/\tworth=0"
		}
	}
	urls := []string{"http://a.test/1\tdepth=3", "http://a.test/2\tdepth=3"}
	c := newCrawl(t, append(judged, urls...), []string{"http://b.test/\tasked=1\tanswered=1"}, "-urls", "1")
	said := c.look(t, "-explain", "http://a.test/2")
	for _, want := range []string{
		"waits:  in band 48 of 0 to 255", // 63 - (63-3)/4
		"yield:  its last answers were worth 0.22 of 1 in the mean, those of all hosts 0.91",
		"then come 0 × 4s;",
		"-delay 1s is expected",
		"yield:  for that it gets 1/4 of its turn, and its new URLs 1/4 of what the order gives them",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("want %q in\n%s", want, said)
		}
	}
}
