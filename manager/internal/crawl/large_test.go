package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"multitext/txlog"
)

// A request to add more files than a transaction takes is several of them, also when it
// is taken up by another manager in the middle; each file is added once.
func TestLargeAddIsSeveralTransactions(t *testing.T) {
	const n = 2*filesAtOnce + 5
	w := newWorld(t, copyStage)
	c := w.openOn(hastyDisk{})
	var files []string
	for i := range n {
		file := filepath.Join(w.Script.Folder, fmt.Sprint("f", i))
		w.Must(os.WriteFile(file, []byte(fmt.Sprintln(i)), 0o666))
		files = append(files, file)
	}
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: files})
	w.Must(err)
	first := c.consider(id)
	c.number(first.rec)
	c.carryOut(first)
	w.Must(c.conclude(first, func(string) {}))
	w.Must(c.Log.Checkpoint())
	w.Must(c.Close())
	c = w.openOn(hastyDisk{})
	if len(c.Log.State.Files()) != filesAtOnce || c.Log.State.Part(id) != filesAtOnce {
		t.Fatalf("after one transaction %d batches, %d done", len(c.Log.State.Files()), c.Log.State.Part(id))
	}
	_, left, err := c.TakeInbox(func(string) {}, nil)
	if w.Must(err); len(left) > 0 || len(w.Inbox()) > 0 || c.Log.State.Part(id) > 0 {
		t.Errorf("left %v, inbox %v, parts %v", left, w.Inbox(), c.Log.State.Part(id))
	}
	commits, seen := 0, map[string]bool{}
	for _, commit := range w.History() {
		if commits++; len(commit.Outputs) > filesAtOnce || (commit.Request == id) != (commits == 3) {
			t.Errorf("transaction %d: %d outputs, request %q", commit.Tx, len(commit.Outputs), commit.Request)
		}
		for _, o := range commit.Outputs {
			seen[o.Hash] = true
		}
	}
	if commits != 3 || len(seen) != n || len(c.Log.State.Files()) != n {
		t.Errorf("%d commits of %d files, %d batches", commits, len(seen), len(c.Log.State.Files()))
	}
}

// A hastyDisk makes nothing durable, which takes most of the time of thousands of files.
type hastyDisk struct{ txlog.OS }

func (hastyDisk) Sync(string) error { return nil }
