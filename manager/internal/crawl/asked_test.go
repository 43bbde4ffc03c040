package crawl

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/txlog"
)

func inboxOf(w *world) (ids []string) {
	w.t.Helper()
	entries, err := os.ReadDir(w.path("inbox"))
	w.must(err)
	for _, e := range entries {
		ids = append(ids, e.Name())
	}
	return ids
}

// leaveAdd leaves a request to add the seed.
func leaveAdd(w *world, c *Crawl) {
	w.t.Helper()
	_, err := Leave(c.Dir, addSeed(w))
	w.must(err)
}

func addSeed(w *world) Request {
	return Request{Verb: "add", Name: "a", Files: []string{w.script.Seeds[0].File}}
}

// waits wants the one request left to be still there, and nothing of it elsewhere.
func waits(w *world, c *Crawl) {
	w.t.Helper()
	some, err := c.takeRequests()
	w.must(err)
	work, err := os.ReadDir(w.path("work"))
	w.must(err)
	if some || len(work) > 0 || len(inboxOf(w)) != 1 {
		w.t.Fatalf("some %v, work/ holds %v and the inbox %v; want the request to wait", some, work, inboxOf(w))
	}
}

// An add for which there is no room is put off and taken when there is: it was promised
// to somebody who is gone. Meanwhile other requests are answered, and the crawl does not
// end.
func TestRequestIsPutOff(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	disk := &fullDisk{full: true}
	c.Dir.Disk = disk
	leaveAdd(w, c)
	waits(w, c)
	w.saidAll("no space left on device; it is tried again in 1s")
	if over, err := c.over(c.environment()); over || err != nil {
		t.Errorf("over: %v, %v", over, err)
	}
	disk.full, c.left.notBefore = false, time.Now().Add(time.Hour)
	waits(w, c) // though there is room
	_, err := Leave(c.Dir, Request{Verb: "retry"})
	w.must(err)
	some, err := c.takeRequests()
	if w.must(err); !some || len(inboxOf(w)) != 1 {
		t.Errorf("some %v; the inbox holds %v, want the add alone", some, inboxOf(w))
	}
	c.left.notBefore = time.Time{}
	some, err = c.takeRequests()
	if w.must(err); !some || len(inboxOf(w)) != 0 || len(c.state.Files()) != 1 || len(c.left.why) > 0 {
		t.Errorf("some %v; the inbox holds %v, the crawl %v, put off %v", some, inboxOf(w), c.state.Files(), c.left.why)
	}
}

// The files of an add take neither time nor room: the batch is the file of the inbox.
func TestAddIsNotCopied(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	before, err := os.Stat(w.path("inbox/" + inboxOf(w)[0] + "/00001"))
	w.must(err)
	_, err = c.takeRequests()
	w.must(err)
	for _, b := range c.state.Files() {
		after, err := os.Stat(w.path(string(b.Name)))
		if w.must(err); !os.SameFile(before, after) || b.Size != 2 || b.Hash != sum("1\n") {
			t.Errorf("%s is a copy, or not as the log says: %+v", b.Name, b)
		}
	}
	if len(c.state.Files()) != 1 {
		t.Errorf("the crawl holds %v", c.state.Files())
	}
}

// A verb that finds no room for an add leaves it, too, and answers the others.
func TestVerbLeavesAddWithoutRoom(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	_, err := Leave(c.Dir, Request{Verb: "retry"})
	w.must(err)
	c.Dir.Disk = &fullDisk{full: true}
	_, left, err := c.TakeInbox(func(string) {}, nil)
	w.must(err)
	if id := inboxOf(w)[0]; len(left) != 1 || !errors.Is(left[id], syscall.ENOSPC) {
		t.Errorf("left are %v, want the add", left)
	}
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

// A file that becomes another between the look at it and the link is refused.
func TestFileThatBecomesAnother(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	c.Dir.Disk = swappingDisk{secret: w.path("secret")}
	_, err := c.takeRequests()
	w.must(err)
	w.saidAll(refusedNote, "it became another file meanwhile")
	if len(c.state.Files()) > 0 {
		t.Errorf("the crawl holds %v", c.state.Files())
	}
}

// A swappingDisk puts a secret in the place of what is to be linked.
type swappingDisk struct {
	txlog.OS
	secret string
}

func (d swappingDisk) Link(from, to string) error {
	return errors.Join(os.Remove(from), os.Link(d.secret, from), d.OS.Link(from, to))
}
