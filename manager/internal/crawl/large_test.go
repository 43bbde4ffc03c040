package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// A request to add more files than a transaction takes is several of them, also when it
// is taken up by another manager in the middle; each file is added once.
func TestLargeAddIsSeveralTransactions(t *testing.T) {
	const n = 2*filesAtOnce + 5
	w := newWorld(t, copyStage)
	c := w.open()
	var files []string
	for i := range n {
		file := filepath.Join(w.script.Folder, fmt.Sprint("f", i))
		w.must(os.WriteFile(file, []byte(fmt.Sprintln(i)), 0o666))
		files = append(files, file)
	}
	id, err := Leave(c.Dir, Request{Verb: "add", Name: "a", Files: files})
	w.must(err)
	first := c.consider(id)
	c.number(first.rec)
	c.carryOut(first)
	w.must(c.conclude(first, func(string) {}))
	w.must(c.Log.Checkpoint())
	w.must(c.Close())
	c = w.open()
	if len(c.state.Files()) != filesAtOnce || c.state.Part(id) != filesAtOnce {
		t.Fatalf("after one transaction %d batches, %d done", len(c.state.Files()), c.state.Part(id))
	}
	_, left, err := c.TakeInbox(func(string) {}, nil)
	if w.must(err); len(left) > 0 || len(inboxOf(w)) > 0 || c.state.Part(id) > 0 {
		t.Errorf("left %v, inbox %v, parts %v", left, inboxOf(w), c.state.Part(id))
	}
	commits, seen := 0, map[string]bool{}
	for _, commit := range w.history() {
		if commits++; len(commit.Outputs) > filesAtOnce || (commit.Request == id) != (commits == 3) {
			t.Errorf("transaction %d: %d outputs, request %q", commit.Tx, len(commit.Outputs), commit.Request)
		}
		for _, o := range commit.Outputs {
			seen[o.Hash] = true
		}
	}
	if commits != 3 || len(seen) != n || len(c.state.Files()) != n {
		t.Errorf("%d commits of %d files, %d batches", commits, len(seen), len(c.state.Files()))
	}
}
