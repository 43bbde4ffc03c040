package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestRedirectChain holds that a chain of redirects has an end, and that the links of a page begin
// a new one.
func TestRedirectChain(t *testing.T) {
	line := "http://a.test/0"
	for step := range 4 {
		in := batch(t, answer{line, fmt.Sprintf("HTTP/1.1 301 Moved\r\nLocation: /%d", step+1), ""})
		out := filepath.Join(t.TempDir(), "links.zst")
		r := stagetest.MustRun(t, tool(), setup, "", "-max-redirects", "3", "-links", out, in)
		if step == 3 {
			if !r.Has("reason redirect-limit 1") || len(stagetest.Lines(t, out)) != 0 {
				t.Errorf("step %d: report\n%s", step, r.Report)
			}
			break
		}
		want := fmt.Sprintf("http://a.test/%d\tdepth=%d\tvia=http://a.test/%d\tredirects=%d", step+1, step+1, step,
			step+1)
		if got := strings.Join(stagetest.Lines(t, out), ";"); got != want || !r.Has("reason redirect 1") {
			t.Fatalf("step %d leads to %q, want %q", step, got, want)
		}
		line = want
	}
	r := stagetest.MustRun(t, tool(), setup, "", "-max-redirects", "3", batch(t, answer{line, htmlHead, "<a href=/x>"}))
	if want := "http://a.test/x\tdepth=4\tvia=http://a.test/3\n"; r.Stdout != want {
		t.Errorf("link of the page %q, want %q", r.Stdout, want)
	}
}
