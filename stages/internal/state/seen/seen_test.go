package seen

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// TestJudge holds many runs over one state, each with several calls, against a map.
func TestJudge(t *testing.T) {
	dir, rnd := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	list := filepath.Join(dir, "list")
	var segments []string
	old := map[uint64]bool{}
	for run := range 12 {
		table, err := Open(list, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := map[uint64]bool{}
		for range 5 {
			keys, want := make([]uint64, rnd.IntN(500)), []Verdict{}
			for i := range keys {
				keys[i] = rnd.Uint64N(5000)
				switch {
				case now[keys[i]]:
					want = append(want, Repeated)
				case old[keys[i]]:
					want = append(want, Old)
				default:
					want = append(want, New)
					now[keys[i]] = true
				}
			}
			got, err := table.Judge(keys)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("run %d: %v, %v; want %v", run, got, err, want)
			}
		}
		path, rep := filepath.Join(dir, fmt.Sprint("segment-", run)), report.New()
		if err := table.Save(output.NewRun(io.Discard), path, rep); err != nil {
			t.Fatal(err)
		}
		reported := filepath.Join(dir, fmt.Sprint("report-", run))
		if err := rep.WriteFile(reported); err != nil {
			t.Fatal(err)
		}
		text, _ := os.ReadFile(reported)
		segments = append(segments[:len(segments)-strings.Count(string(text), "replaces ")], path)
		os.WriteFile(list, []byte(strings.Join(segments, "\n")), 0o666)
		for key := range now {
			old[key] = true
		}
		if err := table.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// What is not saved was not met.
func TestNotSaved(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		table, err := Open(filepath.Join(dir, "list"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := table.Judge([]uint64{7}); err != nil || v[0] != New {
			t.Errorf("%v, %v", v, err)
		}
		if err := table.Save(output.NewRun(io.Discard), "", report.New()); err != nil {
			t.Error(err)
		}
		table.Close()
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}
