package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestTwin has a batch of one peer whose XXH64 is that of another peer's, and so stands for it in
// the ledger.
func TestTwin(t *testing.T) {
	const victim = "0123456789abcdef-000000000001-00001.zst"
	twin := strings.TrimPrefix(stagetest.Twin(t, "law/", "arts/"+victim), "law/")
	for hash, hidden := range map[*keyed.Hash]bool{nil: true, stagetest.Secret(t): false} {
		segment, list := filepath.Join(t.TempDir(), "segment"), filepath.Join(t.TempDir(), "list")
		l, err := openLedger(list, hash)
		if err != nil {
			t.Fatal(err)
		}
		l.add("law", twin, entry{fate: unfit})
		if err := l.close(&stage.Env{Files: output.NewRun(nil), Report: report.New()}, segment); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(list, []byte(segment+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		if l, err = openLedger(list, hash); err != nil {
			t.Fatal(err)
		}
		if e, err := l.find("arts", victim); (e.fate != unmet) != hidden || err != nil {
			t.Errorf("with a secret %v: the victim's batch is %v, %v", hash != nil, e, err)
		}
		l.set.Close()
	}
}
