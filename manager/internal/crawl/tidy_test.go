package crawl

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

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

// However long work/ is being synced, a run is ended in its time.
func TestEndIsNotHeldBySync(t *testing.T) {
	runtime.LockOSThread() // processes die with the thread that started them
	defer runtime.UnlockOSThread()
	w := newWorld(t, oneStage+"timeout = \"10ms\"\nrun = \"sleep 100\"\n")
	disk := &stuckDisk{}
	c := w.openOn(disk)
	w.must(c.takeSeeds())
	c.rebuild()
	disk.stuck, disk.free = w.path("work"), make(chan struct{})
	_, err := c.startAll()
	w.must(err)
	for _, r := range c.runs {
		for start := time.Now(); syscall.Kill(r.process.Pid, 0) == nil; time.Sleep(time.Millisecond) {
			if time.Since(start) > 30*time.Second {
				t.Error("it runs on")
				break
			}
		}
	}
	close(disk.free)
	w.must((<-c.events).handle(c))
	w.saidAll("not done after its timeout")
}

// A stuckDisk does not sync one path until it is told to.
type stuckDisk struct {
	txlog.OS
	stuck string
	free  chan struct{}
}

func (d *stuckDisk) Sync(path string) error {
	if path == d.stuck {
		<-d.free
	}
	return d.OS.Sync(path)
}

// A request to add is measured against the room that there is without what runs have left.
func TestTidyBeforeRequests(t *testing.T) {
	runtime.LockOSThread() // processes die with the thread that started them
	defer runtime.UnlockOSThread()
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	w.must(c.takeSeeds())
	c.rebuild()
	_, err := c.startAll()
	w.must(err)
	w.must((<-c.events).handle(c))
	if w.leavings() == "" {
		t.Fatal("nothing is tested: nothing was left")
	}
	w.must(c.tick())
	if got := w.leavings(); got != "" {
		t.Errorf("requests are looked at while there is %q", got)
	}
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
