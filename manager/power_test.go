package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/txlog/crash"
)

var cuts = flag.Int("cuts", 210, "distinct states after a power cut that TestPowerCuts starts from, over all stories")

// powerStories are those of the kills, and one in which an add is cut off: from
// its last operation on, it has been acknowledged and must not be lost.
func powerStories() []story {
	return append(stories(), story{name: "add", script: "inbox"})
}

// survive starts from the state that a cut left, and checks all that the crawl
// leaves at its end.
func (r *rig) survive(rec *recording, i cutAt) error {
	folder, err := rec.restore(i)
	defer os.RemoveAll(folder)
	if err == nil && i.k < rec.added {
		err = r.add(folder)
	}
	if err == nil {
		err = r.end(folder)
	}
	if err != nil {
		return fmt.Errorf("cut after operation %d of %d, %s, draw %d: %w", i.k, len(rec.trace), rec.before(i.k), i.draw,
			err)
	}
	return nil
}

func (rec *recording) before(k int) string {
	if k == 0 {
		return "the start"
	}
	return rec.trace[k-1].Kind + " " + rec.trace[k-1].Path
}

// A cutCount counts states that a crawl was started from.
type cutCount struct {
	states, lossy atomic.Int64
	seen          map[uint64]bool
}

func newCutCount() *cutCount { return &cutCount{seen: map[uint64]bool{}} }

// cutOff starts from n states, of cuts after from to so many operations of a
// recording, or until one does not survive.
func (r *rig) cutOff(rec *recording, n, from, operations int, sum *cutCount) error {
	cuts := rec.instants(n, from, min(operations, len(rec.trace)), sum.seen)
	for chunk := range slices.Chunk(cuts, 20) {
		err := atOnce(len(chunk), width, func(j int) error {
			i := chunk[j]
			sum.states.Add(1)
			if rec.state(i).Sum() != rec.model.Seen(i.k).Sum() {
				sum.lossy.Add(1)
			}
			return r.survive(rec, i)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// cutOffTwice does so from n states of recoveries, which are recorded from
// states of the recording.
func (r *rig) cutOffTwice(rec *recording, n int, sum *cutCount) error {
	const opening = 120 // operations; beyond them it is the crawl again
	recoveries := (n + 19) / 20
	// An add that was not acknowledged is made anew, and is no recovery.
	for _, i := range rec.instants(recoveries, rec.added, len(rec.trace), map[uint64]bool{}) {
		if err := r.cutRecovery(rec, i, (n+recoveries-1)/recoveries, opening, sum); err != nil {
			return fmt.Errorf("recovery from a cut after operation %d, draw %d: %w", i.k, i.draw, err)
		}
	}
	return nil
}

func (r *rig) cutRecovery(rec *recording, i cutAt, n, operations int, sum *cutCount) error {
	folder, err := rec.restore(i)
	defer os.RemoveAll(folder)
	if err != nil {
		return err
	}
	again, err := r.recordWhole(folder)
	if err != nil {
		return err
	}
	return r.cutOff(again, n, 0, operations, sum)
}

// A crawl whose power is cut at any instant, and again while it recovers, ends
// with the same result, whatever the disk has kept of what was not synced.
func TestPowerCuts(t *testing.T) {
	long(t)
	all := powerStories()
	share := (*cuts + len(all) - 1) / len(all)
	var states, lossy int64
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			r := newStoryRig(t, s)
			folder := r.folder(t)
			rec, err := r.recordWhole(folder)
			if err != nil {
				t.Fatal(err)
			}
			if err := sameTree(rec, folder); err != nil {
				t.Fatalf("the trace does not tell all: %v", err)
			}
			sum := newCutCount()
			err = r.cutOff(rec, share-share/3, 0, len(rec.trace), sum)
			if err == nil {
				err = r.cutOffTwice(rec, share/3, sum)
			}
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d operations, %d states; in %d is less than a kill leaves", len(rec.trace), sum.states.Load(),
				sum.lossy.Load())
			states += sum.states.Load()
			lossy += sum.lossy.Load()
		})
	}
	t.Logf("%d states after a power cut; in %d is less than a kill leaves", states, lossy)
	if asked := int64(*cuts); states < asked*9/10 || lossy < asked/2 {
		t.Errorf("%d states were asked for, %d found, and only in %d was anything lost", asked, states, lossy)
	}
}

// sameTree compares what the model says is there at the end with what is there: a change that is
// not made through the Disk would be missing.
func sameTree(rec *recording, folder string) error {
	there, err := crash.ReadTree(folder)
	if err != nil {
		return err
	}
	told := rec.model.Seen(len(rec.trace))
	var differ []string
	for _, tree := range []crash.Tree{there, told} {
		for name := range tree {
			if strings.HasPrefix(name, "crawl/") &&
				(has(there, name) != has(told, name) || string(there[name]) != string(told[name])) {
				differ = append(differ, name)
			}
		}
	}
	if differ != nil {
		return errors.New(strings.Join(slices.Compact(slices.Sorted(slices.Values(differ))), ", "))
	}
	return nil
}

// A write or sync of the log that fails ends the manager, and what it leaves is
// as good as after a cut, even if what the sync was to keep is lost.
func TestLogCannotBeWritten(t *testing.T) {
	r := newRig(t)
	states := 0
	for n := 1; n <= 12; n++ {
		folder := r.folder(t)
		rec, err := r.record(folder, fmt.Sprintf("%s=%d", crash.FailLog, n))
		if err != nil {
			t.Fatal(err)
		}
		if rec.code != crawl.ExitBroken {
			t.Errorf("failure %d: exit code %d, want %d; it said\n%s", n, rec.code, crawl.ExitBroken, rec.said)
		}
		for draw := range uint64(2) {
			states++
			if err := r.survive(rec, cutAt{len(rec.trace), draw}); err != nil {
				t.Errorf("failure %d: %v", n, err)
			}
		}
	}
	t.Logf("%d states after a failure", states)
}
