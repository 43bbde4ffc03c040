package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/proc"
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
			w.must(c.Log.Append(&txlog.Commit{Tx: c.state.Next, Read: -1, Notes: []string{note}}))
		}
		generation := c.state.Generation
		_, err := c.startAll()
		w.must(err)
		w.must((<-c.events).handle(c))
		if sealed := c.state.Generation > generation; sealed != full {
			t.Fatalf("nothing is tested: sealed %v, want %v", sealed, full)
		}
		if got := w.leavings(); (got == "") != full {
			t.Errorf("sealed %v, and there is %q", full, got)
		}
		if left := w.works(); full && len(left) > 0 {
			t.Errorf("it was sealed with less room than there could be, beside %v", left)
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

// The next run of a stage has the directory of the last, unless something of that may
// have it open.
func TestSpare(t *testing.T) {
	for _, stray := range []string{"", "; setsid env -i bash -c ': > up; exec sleep 100' & until [ -e up ]; do sleep 0.01; done; rm up"} {
		runtime.LockOSThread() // processes die with the thread that started them
		defer runtime.UnlockOSThread()
		w := newWorld(t, "seeds = { a = \"seed\" }\n[stage.one]\nin = \"a\"\nout = \"a\"\nshell = \"cat {in} > {a}"+stray+"\"\n")
		w.must(proc.Adopt())
		c := w.open()
		w.must(c.takeSeeds())
		c.rebuild()
		var seen []os.FileInfo
		for range 2 {
			_, err := c.startAll()
			w.must(err)
			for _, r := range c.runs {
				info, err := os.Stat(r.tx.Path)
				w.must(err)
				seen = append(seen, info)
			}
			w.must((<-c.events).handle(c))
			w.must(c.tidy())
		}
		if handed := len(seen) == 2 && os.SameFile(seen[0], seen[1]); handed != (stray == "") {
			t.Errorf("with %q it was handed on: %v", stray, handed)
		}
		if n := len(w.works()); (n == 1) != (stray == "") {
			t.Errorf("with %q %d directories are kept", stray, n)
		}
		w.must(c.clearUp())
		if left := w.works(); len(left) > 0 {
			t.Errorf("at the end there is %v", left)
		}
		w.endChildren()
	}
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

// Where room is wanted no directory is kept for the next run.
func TestSparesMakeRoom(t *testing.T) {
	for name, want := range map[string]func(*world, *Crawl){
		"a full disk": func(w *world, c *Crawl) {
			c.Script.Limit.Disk = 1 << 62
			_, err := c.startAll()
			w.must(err)
		},
		"a request": func(w *world, c *Crawl) {
			_, err := Leave(c.Dir, Request{Verb: "retry"})
			w.must(err)
			_, err = c.takeRequests()
			w.must(err)
		},
	} {
		runtime.LockOSThread() // processes die with the thread that started them
		defer runtime.UnlockOSThread()
		w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
		c := w.open()
		w.must(c.takeSeeds())
		c.rebuild()
		_, err := c.startAll()
		w.must(err)
		w.must((<-c.events).handle(c))
		w.must(c.tidy())
		if kept := w.works(); len(kept) != 1 {
			t.Fatalf("nothing is tested: %v is kept", kept)
		}
		want(w, c)
		if left := w.works(); len(left) > 0 {
			t.Errorf("for %s there is still %v", name, left)
		}
	}
}

func (w *world) works() []string {
	found, err := filepath.Glob(w.path("work/*"))
	w.must(err)
	return found
}

// endChildren ends the strays that have come to this process.
func (w *world) endChildren() {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	w.must(err)
	for word := range strings.FieldsSeq(string(text)) {
		pid, err := strconv.Atoi(word)
		w.must(err)
		w.must(syscall.Kill(pid, syscall.SIGKILL))
		_, err = syscall.Wait4(pid, nil, 0, nil)
		w.must(err)
	}
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
	if plan := Plan(rec); len(plan) > 0 || len(rec.State.Batches) != 1 {
		t.Errorf("there are %d batches, and the next start would %q", len(rec.State.Batches), plan)
	}
}
