package crawl

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
	"multitext/txlog/crash"
)

// An add that was left beside a manager outlives a power cut at any instant since, and is
// carried out once: while it waits, when it is answered, and when the log forgets its id.
func TestAddSurvivesPowerCuts(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	w := newWorld(t, copyStage)
	store := w.store(txlog.OS{})
	w.Must(store.Close())
	base, err := crash.ReadTree(w.Script.Folder)
	w.Must(err)
	file := filepath.Join(t.TempDir(), "trace")
	t.Setenv(crash.TraceFile, file)
	disk := crash.FromEnv()
	trace := func() []crash.Op {
		ops, err := crash.ReadTrace(file, w.Script.Folder)
		w.Must(err)
		return ops
	}
	id, err := Leave(&workdir.Dir{Root: w.Script.Dir, Disk: disk}, addSeed(w))
	w.Must(err)
	promised := len(trace())
	store = w.store(disk)
	_, _, err = store.TakeInbox(func(string) {}, nil)
	w.Must(err)
	w.Must(store.Log.Checkpoint())
	w.Must(store.Close())
	all := trace()
	model, err := crash.NewModel(base, all)
	w.Must(err)
	seen := map[uint64]bool{}
	for k := promised; k <= len(all); k++ {
		for draw := range uint64(8) {
			tree := model.State(k, rand.New(rand.NewPCG(uint64(k), draw)))
			if sum := tree.Sum(); !seen[sum] {
				seen[sum] = true
				if err := w.addedOnce(tree, id); err != nil {
					t.Fatalf("cut after operation %d of %d, %s %s, draw %d: %v",
						k, len(all), all[k-1].Kind, all[k-1].Path, draw, err)
				}
			}
		}
	}
	t.Logf("%d states", len(seen))
}

// addedOnce starts from what a cut has left, and wants the seed brought in by one line of
// the log that answers the request, and nothing left of that.
func (w *world) addedOnce(tree crash.Tree, id string) error {
	moved := *w.Script
	folder := w.T.TempDir()
	moved.Dir = filepath.Join(folder, "crawl")
	if err := tree.Write(folder); err != nil {
		return err
	}
	store, err := Open(&moved, txlog.OS{}, Opening{Say: func(string) {}})
	if err != nil {
		return err
	}
	defer store.Close()
	if _, left, err := store.TakeInbox(func(string) {}, nil); err != nil || len(left) > 0 {
		return fmt.Errorf("left %v, %w", left, err)
	}
	answers, text := 0, ""
	_, err = txlog.History(moved.Dir, txlog.Position{}, func(r txlog.Record) error {
		if c := r.(*txlog.Commit); c.Request == id {
			answers++
			for _, o := range c.Outputs {
				raw, err := os.ReadFile(filepath.Join(moved.Dir, string(o.Name)))
				if text += string(raw); err != nil {
					return err
				}
			}
		}
		return nil
	}, nil)
	waiting, err2 := os.ReadDir(filepath.Join(moved.Dir, txlog.InboxDir))
	if err != nil || err2 != nil || answers != 1 || text != "1\n" || len(waiting) > 0 {
		return fmt.Errorf("%d answers, added %q, waiting %v, %v, %v", answers, text, waiting, err, err2)
	}
	return nil
}

// A start beside a verb that is writing its request takes nothing of it away.
func TestStartWhileRequestIsWritten(t *testing.T) {
	w := newWorld(t, copyStage)
	w.Must(w.store(txlog.OS{}).Close())
	disk := &interrupted{at: "/request", by: func() { w.Must(w.store(txlog.OS{}).Close()) }}
	id, err := Leave(&workdir.Dir{Root: w.Script.Dir, Disk: disk}, Request{Verb: "retry"})
	if ids := w.Inbox(); err != nil || len(ids) != 1 || ids[0] != id || disk.by != nil {
		t.Errorf("%v; the inbox holds %v, want %s; a start beside it: %v", err, ids, id, disk.by == nil)
	}
}

// An interrupted Disk has something happen, once, before a file of that end is made.
type interrupted struct {
	txlog.OS
	at string
	by func()
}

func (d *interrupted) Create(path string) (txlog.File, error) {
	if by := d.by; by != nil && strings.HasSuffix(path, d.at) {
		d.by = nil
		by()
	}
	return d.OS.Create(path)
}

// A request that was answered is removed when it comes again, as from two verbs with one
// id: each waits until it is gone.
func TestAnsweredRequestIsRemovedAgain(t *testing.T) {
	w := newWorld(t, copyStage)
	c := w.open()
	for range 2 {
		_, err := Leave(c.Dir, Request{Verb: "add", ID: "mine", Name: "a", Files: []string{w.Script.Seeds[0].File}})
		w.Must(err)
		_, _, err = c.TakeInbox(func(string) {}, nil)
		if w.Must(err); len(w.Inbox()) > 0 || len(c.Log.State.Files()) != 1 {
			t.Errorf("the inbox holds %v and the crawl %v", w.Inbox(), c.Log.State.Files())
		}
	}
}
