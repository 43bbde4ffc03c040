package crawl

import (
	"errors"
	"os"
	"syscall"
	"testing"

	"multitext/manager/internal/testkit"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// The files of an add take neither time nor room: the batch is the file of the inbox.
func TestAddIsNotCopied(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	before, err := os.Stat(w.Path("inbox/" + w.Inbox()[0] + "/00001"))
	w.Must(err)
	w.take(c)
	hash, err := workdir.Hash(w.Script.Seeds[0].File)
	w.Must(err)
	for _, b := range c.Log.State.Files() {
		after, err := os.Stat(w.Path(string(b.Name)))
		if w.Must(err); !os.SameFile(before, after) || b.Size != 2 || b.Hash != hash {
			t.Errorf("%s is a copy, or not as the log says: %+v", b.Name, b)
		}
	}
	if len(c.Log.State.Files()) != 1 {
		t.Errorf("the crawl holds %v", c.Log.State.Files())
	}
}

// A verb that finds no room for an add leaves it, too, and answers the others.
func TestVerbLeavesAddWithoutRoom(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	_, err := Leave(c.Dir, Request{Verb: "retry"})
	w.Must(err)
	c.Dir.Disk = testkit.FullDisk()
	left := w.take(c)
	work, err := os.ReadDir(w.Path("work"))
	w.Must(err)
	ids := w.Inbox()
	if len(ids) != 1 || len(left) != 1 || !errors.Is(left[ids[0]], syscall.ENOSPC) || len(work) > 0 {
		t.Errorf("left are %v, want the add; the inbox holds %v and work/ %v", left, ids, work)
	}
}

// A file that becomes another between the look at it and the link is refused.
func TestFileThatBecomesAnother(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	leaveAdd(w, c)
	c.Dir.Disk = swappingDisk{secret: w.Path("secret")}
	w.take(c)
	w.SaidAll(refusedNote, "it was replaced by another file")
	if len(c.Log.State.Files()) > 0 {
		t.Errorf("the crawl holds %v", c.Log.State.Files())
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
