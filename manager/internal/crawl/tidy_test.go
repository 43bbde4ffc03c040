package crawl

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// What a run leaves to remove waits until others were started; but no log is sealed
// while a directory is there that only its lines tell from a run under way.
func TestTidyBeforeTheLogIsSealed(t *testing.T) {
	for _, full := range []bool{false, true} {
		runtime.LockOSThread() // processes die with the thread that started them
		defer runtime.UnlockOSThread()
		w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
		c := w.open()
		w.must(c.takeSeeds())
		c.rebuild()
		if full {
			note := strings.Repeat("long ", 1<<20)
			w.must(c.Log.Append(&txlog.Commit{Tx: c.state.Next(), Read: -1, Notes: []string{note}}))
		}
		generation := c.state.Generation()
		_, err := c.startAll()
		w.must(err)
		w.must((<-c.events).handle(c))
		if sealed := c.state.Generation() > generation; sealed != full {
			t.Fatalf("nothing is tested: sealed %v, want %v", sealed, full)
		}
		if got := w.leavings(); (got == "") != full {
			t.Errorf("sealed %v, and there is %q", full, got)
		}
		w.must(c.tidy())
		if got := w.leavings(); got != "" {
			t.Errorf("when all is tidy there is %q", got)
		}
	}
}

// leavings are the inputs and run files that are still there.
func (w *world) leavings() string {
	var all []string
	for _, pattern := range []string{"a/*", "work/*/run"} {
		found, err := filepath.Glob(w.path(pattern))
		w.must(err)
		all = append(all, found...)
	}
	entries, err := os.ReadDir(w.path("b"))
	w.must(err)
	if len(entries) != 1 {
		w.t.Errorf("%d batches in b, want one", len(entries))
	}
	return strings.Join(all, " ")
}

// A crawl that has come to its end leaves nothing for a start to do. Of its two runs the
// first is tidied by the look for requests that follows it; the next look is a second away.
func TestTidyAtTheEnd(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n[stage.two]\nin = \"b\"\nout = \"c\"\nrun = \"cp {in} {c}\"\n")
	if code, err := w.run(txlog.OS{}, nil); code != ExitDone || err != nil {
		t.Fatalf("code %d, %v", code, err)
	}
	rec, err := workdir.Examine(w.script.Dir)
	w.must(err)
	if plan := Plan(rec); len(plan) > 0 || len(rec.State.Files()) != 1 {
		t.Errorf("there are %d batches, and the next start would %q", len(rec.State.Files()), plan)
	}
}
