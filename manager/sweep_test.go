package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

var sweep = flag.Int("sweep", 35,
	"TestKilledBeforeEveryChange kills before every so many-th change of a story; 1: every one")

// width is how many crawls run at the same time; they mostly wait for processes.
const width = 4

// A story is a script and what is special about a crawl of it. All come to the
// same numbers, so that one oracle holds for all of them.
type story struct {
	name       string
	script     string                            // in testdata/stories; "": the plain one
	code       int                               // of a whole run
	failpoints []string                          // settings of the manager
	prepare    func(r *rig, folder string) error // before the first start
	also       func(dir string) error            // what must hold beside the oracle
}

func stories() []story {
	return []story{
		{name: "plain"},
		{name: "checkpoints", script: "folders", failpoints: often(), also: threeFolders},
		{name: "aside", script: "aside", code: crawl.ExitFailed, also: pickyHolds},
		{name: "helpers", script: "helpers"},
		{name: "inbox", script: "inbox", failpoints: smallParts(), prepare: leaveRequests, also: addedOnce},
		{name: "snapshot", script: "snapshot"},
		{name: "single", script: "single"},
		frontier(),
	}
}

// often lets a new generation of the log begin every few lines.
func often() []string { return []string{"often-checkpoints"} }

// smallParts lets each file of a request to add be a transaction of its own.
func smallParts() []string { return []string{"small-parts"} }

// addedOnce wants each file of the adds that leaveRequests leaves brought in once.
func addedOnce(dir string) error {
	files := 0
	_, err := txlog.History(dir, txlog.Position{}, func(r txlog.Record) error {
		if c, ok := r.(*txlog.Commit); ok && c.Stage == "" && c.Seed == "" {
			files += len(c.Outputs)
		}
		return nil
	}, nil)
	if err == nil && files != 5 {
		err = fmt.Errorf("%d files were added, want 5", files)
	}
	return err
}

// pickyHolds wants each number either past the stage that fails on one, or in the
// batch that was set aside, which is alone.
func pickyHolds(dir string) error {
	rp, err := txlog.Load(filepath.Join(dir, txlog.LogFile))
	if err != nil {
		return err
	}
	aside := 0
	for _, b := range rp.State.Batches() {
		if b.Mark("picky").Aside {
			aside++
		}
	}
	if aside != 1 {
		err = fmt.Errorf("%d batches are set aside, want the one with 33", aside)
	}
	return errors.Join(err, sameNumbers(dir, "checked fresh", reachable(), func(int) bool { return true }))
}

// threeFolders wants the exported batches in folders and nowhere else.
func threeFolders(dir string) error {
	entries, err := os.ReadDir(filepath.Join(dir, "abroad"))
	for _, e := range entries {
		if !e.IsDir() {
			err = errors.Join(err, fmt.Errorf("abroad/%s is no folder", e.Name()))
		}
	}
	if len(entries) != 3 {
		err = errors.Join(err, fmt.Errorf("%d folders in abroad, want 3", len(entries)))
	}
	return err
}

// leaveRequests begins the crawl by adds, one of them of a batch with numbers that are not linked.
// It leaves in the inbox for the first run a request to drop that batch, a retry, and an add of
// three files.
func leaveRequests(r *rig, folder string) error {
	if err := leaveDrop(r, folder); err != nil {
		return err
	}
	if err := r.addFile(folder, "b.txt"); err != nil {
		return err
	}
	return leave(folder, crawl.Request{Verb: "retry"},
		crawl.Request{Verb: "add", Name: "lines", Files: []string{filepath.Join(folder, "c.txt"),
			filepath.Join(folder, "a.txt"), filepath.Join(folder, "c.txt")}})
}

// leaveDrop leaves only the request to drop the wrong batch, which the first run does before
// anything else.
func leaveDrop(r *rig, folder string) error {
	if err := os.WriteFile(filepath.Join(folder, "wrong.txt"), []byte("100000\n"), 0o666); err != nil {
		return err
	}
	if err := r.addFile(folder, "wrong.txt"); err != nil {
		return err
	}
	return leave(folder, crawl.Request{Verb: "drop", Batches: []txlog.Name{"lines/m-000000000001-00001.txt"},
		Why: "nobody links them"})
}

func (r *rig) addFile(folder, file string, env ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), runLimit)
	defer cancel()
	add := exec.CommandContext(ctx, filepath.Join(r.bin, "manager"), "add", filepath.Join(folder, "crawl.toml"),
		"lines", filepath.Join(folder, file))
	add.Env = append(append(os.Environ(), r.env), env...)
	if said, err := add.CombinedOutput(); err != nil {
		return fmt.Errorf("add: %w\n%s", err, said)
	}
	return nil
}

func leave(folder string, requests ...crawl.Request) error {
	dir := &workdir.Dir{Root: filepath.Join(folder, "crawl"), Disk: txlog.OS{}}
	for _, q := range requests {
		if _, err := crawl.Leave(dir, q); err != nil {
			return err
		}
	}
	return nil
}

func newStoryRigs(t *testing.T) (rigs []*rig) {
	t.Helper()
	for _, s := range stories() {
		rigs = append(rigs, newStoryRig(t, s))
	}
	return rigs
}

// Every story is killed before each of its changes (or a sample of them), then
// once more within the recovery from that, and then run to its end.
func TestKilledBeforeEveryChange(t *testing.T) {
	total, points := 0, 0
	for _, r := range newStoryRigs(t) {
		t.Run(r.story.name, func(t *testing.T) {
			fired, first, err := r.sweep(t, *sweep)
			t.Logf("%d kills fired, the first at %d distinct changes", fired, first)
			total += fired
			points += first
			if err != nil {
				t.Error(err)
			}
			if fired < 600 / *sweep {
				t.Errorf("only %d kills fired", fired)
			}
		})
	}
	t.Logf("%d kills fired over all stories, the first at %d distinct changes", total, points)
}

// sweep kills fresh crawls, one before every step-th change, until a crawl ends
// without having come to its instant. first counts these: each is at another change
// of the story. fired counts the second kills, too, within the recovery.
func (r *rig) sweep(t *testing.T, step int) (fired, first int, err error) {
	var next, count, firsts atomic.Int64
	err = atOnce(width, width, func(int) error {
		for {
			at := 1 + int(next.Add(1)-1)*step
			n, err := r.chain(t, []int{at, 1 + at%60})
			if err != nil {
				return fmt.Errorf("killed before change %d: %w", at, err)
			}
			if n == 0 {
				return nil
			}
			count.Add(int64(n))
			firsts.Add(1)
		}
	})
	return int(count.Load()), int(firsts.Load()), err
}
