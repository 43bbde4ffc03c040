package crawl

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
)

// slowDisk writes no byte of a batch of queue a until the gate is opened.
type slowDisk struct {
	txlog.OS
	begun chan struct{} // has room for one
	gate  chan struct{}
}

func newSlowDisk() *slowDisk {
	return &slowDisk{begun: make(chan struct{}, 1), gate: make(chan struct{})}
}

func (d *slowDisk) Create(path string) (txlog.File, error) {
	f, err := d.OS.Create(path)
	if err == nil && strings.Contains(path, "/a/m-") {
		f = &slowFile{f, d}
	}
	return f, err
}

type slowFile struct {
	txlog.File
	disk *slowDisk
}

func (f *slowFile) Write(p []byte) (int, error) {
	select {
	case f.disk.begun <- struct{}{}:
	default:
	}
	<-f.disk.gate
	return f.File.Write(p)
}

// handleNext waits for an event, for a while, and handles it.
func handleNext(w *world, c *Crawl) {
	w.t.Helper()
	select {
	case ev := <-c.events:
		w.must(ev.handle(c))
	case <-time.After(20 * time.Second):
		w.t.Fatal("no event comes")
	}
}

func inboxOf(w *world) (ids []string) {
	w.t.Helper()
	entries, err := os.ReadDir(w.path("inbox"))
	w.must(err)
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// While the files of an add are copied other requests are answered, and another
// add waits; the crawl does not end meanwhile.
func TestAddIsCopiedBesideTheLoop(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	disk := newSlowDisk()
	c := w.openOn(disk)
	add := Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}}
	_, err := Leave(c.Dir, add)
	w.must(err)
	taken := make(chan error, 1)
	take := func() {
		go func() { _, err := c.takeRequests(); taken <- err }()
		select {
		case err := <-taken:
			w.must(err)
		case <-time.After(20 * time.Second):
			t.Fatal("the loop waits for the copy")
		}
	}
	take()
	_, err = Leave(c.Dir, Request{Verb: "retry"})
	w.must(err)
	_, err = Leave(c.Dir, add)
	w.must(err)
	take()
	if ids := inboxOf(w); len(ids) != 2 || len(c.state.Files()) != 0 {
		t.Fatalf("inbox holds %v and the crawl %v; want both adds to wait", ids, c.state.Files())
	}
	if over, err := c.over(c.environment()); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	close(disk.gate)
	handleNext(w, c)
	take()
	handleNext(w, c)
	if ids := inboxOf(w); len(ids) != 0 || len(c.state.Files()) != 2 || c.adds.copying {
		t.Errorf("inbox holds %v and the crawl %v", ids, c.state.Files())
	}
}

// A manager that is told to stop at once does not wait for a copy; the request
// stays for the next start.
func TestAddIsCutShort(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	disk := newSlowDisk()
	c := w.openOn(disk)
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}})
	w.must(err)
	_, err = c.takeRequests()
	w.must(err)
	<-disk.begun
	c.kill()
	close(disk.gate)
	handleNext(w, c)
	if ids := inboxOf(w); len(ids) != 1 || ids[0] != id || len(c.state.Files()) != 0 || c.adds.copying {
		t.Errorf("inbox holds %v and the crawl %v", ids, c.state.Files())
	}
}

// leaveAdd leaves a request to add the seed.
func leaveAdd(w *world, c *Crawl) {
	w.t.Helper()
	_, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: []string{filepath.Join(w.script.Folder, "seed")}})
	w.must(err)
}

// waits wants the one request left to be still there, and nothing of it elsewhere.
func waits(w *world, c *Crawl) {
	w.t.Helper()
	some, err := c.takeRequests()
	w.must(err)
	work, err := os.ReadDir(w.path("work"))
	w.must(err)
	if some || c.adds.copying || len(work) > 0 || len(inboxOf(w)) != 1 {
		w.t.Fatalf("some %v, bringing %v, work/ holds %v and the inbox %v; want the request to wait", some, c.adds.copying, work, inboxOf(w))
	}
}

// Once the manager is stopping, no copy is begun: one that is cut short at once, and
// begun again, would fill work/ for as long as the last run takes to die.
func TestNoAddIsBegunWhileStopping(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	leaveAdd(w, c)
	c.signalled()
	waits(w, c)
	c.signalled()
	waits(w, c)
	if code, err := c.outcome(nil); code != ExitStopped || err != nil {
		t.Errorf("code %d, %v; want that it stopped with work waiting", code, err)
	}
}

// An add waits for room as stages do, and is taken when there is: it was promised to
// somebody who is gone. Meanwhile the crawl does not end.
func TestAddWaitsForRoom(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	disk := &fullDisk{}
	c.Dir.Disk = disk
	leaveAdd(w, c)
	file := w.path("inbox/" + inboxOf(w)[0] + "/00001")
	w.must(os.Truncate(file, 1<<42)) // there is room, but not for that
	waits(w, c)
	waits(w, c)
	w.saidAll("a request to add waits for room on the disk")
	if over, err := c.over(c.environment()); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	w.must(os.Truncate(file, 2))
	disk.full = true
	_, err := c.takeRequests()
	w.must(err)
	handleNext(w, c)
	w.saidAll("no space left on device; it is tried again in 1s")
	c.adds.notBefore = time.Now().Add(time.Hour)
	waits(w, c) // though there seems to be room
	disk.full, c.adds.notBefore = false, time.Time{}
	_, err = c.takeRequests()
	w.must(err)
	handleNext(w, c)
	if ids := inboxOf(w); len(ids) != 0 || len(c.state.Files()) != 1 || c.adds.waiting {
		t.Errorf("inbox holds %v and the crawl %v", ids, c.state.Files())
	}
}

// A verb that finds no room for an add leaves it, too, and answers the others.
func TestVerbLeavesAddWithoutRoom(t *testing.T) {
	w := newWorld(t, oneStage+"run = \"cp {in} {b}\"\n")
	c := w.open()
	leaveAdd(w, c)
	_, err := Leave(c.Dir, Request{Verb: "retry"})
	w.must(err)
	c.Dir.Disk = &fullDisk{full: true}
	left, err := c.TakeInbox(func(string) {})
	w.must(err)
	if id := inboxOf(w)[0]; len(left) != 1 || !errors.Is(left[id], syscall.ENOSPC) {
		t.Errorf("left are %v, want the add", left)
	}
	c.stop("told to", ExitStopped)
	waits(w, c)
}

// A fullDisk has room for names and none for what is brought into a queue.
type fullDisk struct {
	txlog.OS
	full bool
}

func (d *fullDisk) Sync(path string) error {
	if d.full && strings.Contains(path, "/work/") {
		return &os.PathError{Op: "sync", Path: path, Err: syscall.ENOSPC}
	}
	return d.OS.Sync(path)
}
