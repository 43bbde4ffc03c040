package main

import (
	"path/filepath"
	"testing"
	"time"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a stranger's origin come, whose XXH64 is that of a victim's, and take the place of
// its entry.
func TestTwin(t *testing.T) {
	const victim = "http://victim.test"
	twin := stagetest.Twin(t, "http://evil.", victim)
	for hash, hidden := range map[*keyed.Hash]bool{nil: true, stagetest.Secret(t): false} {
		var segments []string
		for _, origin := range []string{victim, twin} {
			c, err := openCache("", hash)
			if err != nil {
				t.Fatal(err)
			}
			c.entries[origin] = &entry{kind: noHost, origin: origin, reason: "no-host", renewed: true,
				expiry: time.Now().Add(time.Hour)}
			segments = append(segments, filepath.Join(t.TempDir(), "segment"))
			if err := c.save(output.NewRun(nil), segments[len(segments)-1], time.Hour, report.New()); err != nil {
				t.Fatal(err)
			}
		}
		c, err := openCache(list(t, segments...), hash)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.load([]string{victim}); err != nil || (c.entries[victim] == nil) != hidden {
			t.Errorf("with a secret %v: the victim's entry is %v, %v", hash != nil, c.entries[victim], err)
		}
		c.set.Close()
	}
}
