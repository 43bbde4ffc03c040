package main

import (
	"path/filepath"
	"testing"

	"multitext/stages/internal/testkit/stagetest"
)

// TestLost: a record that looks like a visit and is none, and a URL without a host, leave the flow; they
// do not fail the run.
func TestLost(t *testing.T) {
	dir := t.TempDir()
	r := stagetest.MustRun(t, tool(), setup,
		"http://a.test/x\tasked=1\nhttp://a.test/\tasked=many\nhttp://b.test/\nhttp:nowhere\n",
		"-out", filepath.Join(dir, "out.zst"), "-wake", filepath.Join(dir, "wake.zst"),
		"-new", filepath.Join(dir, "new"))
	if !r.Has("reason bad-visit 2") || !r.Has("reason no-host 1") || !r.Has("reason waits 1") {
		t.Errorf("report:\n%s", r.Report)
	}
}
