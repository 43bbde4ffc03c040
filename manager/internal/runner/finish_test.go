package runner

import (
	"os"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A committed run leaves nothing to remove, and so no log is sealed while a directory is
// there that only its lines tell from a run under way.
func TestCommittedRunLeavesNothing(t *testing.T) {
	for _, full := range []bool{false, true} {
		w := newWorld(t, copyStage)
		c := w.open()
		w.Must(c.Begin(c.out.Line))
		c.rebuild()
		if full {
			note := strings.Repeat("long ", 1<<20)
			w.Must(c.Log.Append(&txlog.Commit{Tx: c.state.Next(), Read: -1, Notes: []string{note}}))
		}
		generation := c.state.Generation()
		_, err := c.startAll()
		w.Must(err)
		w.Must((<-c.events).handle(c))
		if sealed := c.state.Generation() > generation; sealed != full {
			t.Fatalf("nothing is tested: sealed %v, want %v", sealed, full)
		}
		for dir, want := range map[string]int{"a": 0, "work": 0, "b": 1} {
			if entries, err := os.ReadDir(w.Path(dir)); err != nil || len(entries) != want {
				t.Errorf("%s holds %v, %v; want %d", dir, entries, err, want)
			}
		}
	}
}

// A crawl that has come to its end leaves nothing for a start to do.
func TestTidyAtTheEnd(t *testing.T) {
	w := newWorld(t, copyStage+"[stage.two]\nin = \"b\"\nout = \"c\"\nrun = \"cp {in} {c}\"\n")
	w.done()
	rec, err := workdir.Examine(w.Script.Dir)
	w.Must(err)
	if plan := crawl.Plan(rec); len(plan) > 0 || len(rec.State.Files()) != 1 {
		t.Errorf("there are %d batches, and the next start would %q", len(rec.State.Files()), plan)
	}
}
