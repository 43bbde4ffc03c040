package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/traffic/visits"
)

// TestStandstill: a wake batch that comes before its time tells that nothing else runs. If nothing is handed
// out then, the next one comes at its time, so that the stage does not start again and again; else it may
// come sooner, too.
func TestStandstill(t *testing.T) {
	dir := t.TempDir()
	var segments []string
	run := func(name, want string, inputs ...string) string {
		t.Helper()
		file := func(what string) string { return filepath.Join(dir, what+name) }
		r := stagetest.MustRun(t, tool(), setup, "", append([]string{"-waiting", stagetest.Write(t, "list", segments...),
			"-new", file("new"), "-wake", file("wake"), "-out", file("out")}, inputs...)...)
		segments = append(segments[:len(segments)-strings.Count(r.Report, "\nreplaces ")], file("new"))
		if !strings.Contains(r.Report, "\n"+want+" "+file("wake")+" ") {
			t.Errorf("%s: want %q of the wake batch in\n%s", name, want, r.Report)
		}
		return file("wake")
	}
	var held urlbatch.Record
	(&visits.Visit{Host: "a.test", Unready: 1, NotBefore: time.Now().Add(time.Hour)}).Encode(&held)
	wake := run("first", "latest", stagetest.Write(t, "fresh", string(held.Line()), "http://a.test/1"))
	wake = run("still", "later", wake)
	run("more", "latest", wake, stagetest.Write(t, "fresh", "http://b.test/1"))
}
