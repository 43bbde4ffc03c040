package main

import (
	"path/filepath"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/traffic/visits"
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

// TestVisitWithoutRequests: what fetch writes of a host that it did not ask is a visit, and no URL to
// fetch.
func TestVisitWithoutRequests(t *testing.T) {
	dir := t.TempDir()
	var rec urlbatch.Record
	(&visits.Visit{Host: "a.test", Pause: time.Second}).Encode(&rec)
	r := stagetest.MustRun(t, tool(), setup, string(rec.Line())+"\n", "-out", filepath.Join(dir, "out.zst"), "-wake",
		filepath.Join(dir, "wake.zst"), "-new", filepath.Join(dir, "new"))
	if !r.Has("reason visit 1") || r.Has("reason waits 1") {
		t.Errorf("report:\n%s", r.Report)
	}
}
