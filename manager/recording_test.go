package main

import (
	"fmt"
	"math/rand/v2"
	"os"

	"multitext/txlog/crash"
)

// A recording is a run of a crawl, from a folder in which all was durable.
type recording struct {
	model *crash.Model
	trace []crash.Op
	added int // operations of an add before the run; 0: none
	ending
}

// record runs the crawl in a folder and takes down each change.
func (r *rig) record(folder string, env ...string) (*recording, error) {
	base, err := crash.ReadTree(folder)
	if err != nil {
		return nil, err
	}
	file := folder + ".trace"
	defer os.Remove(file)
	rec := &recording{}
	env = append(env, crash.TraceFile+"="+file)
	if r.story.name == "add" && !has(base, "crawl/") {
		if err := r.add(folder, env...); err != nil {
			return nil, err
		}
		trace, err := crash.ReadTrace(file, folder)
		if err != nil {
			return nil, err
		}
		rec.added = len(trace)
	}
	if rec.ending, err = r.start(folder, env...); err != nil {
		return nil, err
	}
	if rec.trace, err = crash.ReadTrace(file, folder); err != nil {
		return nil, err
	}
	rec.model, err = crash.NewModel(base, rec.trace)
	return rec, err
}

// recordWhole is record of a run that must end as the story says.
func (r *rig) recordWhole(folder string) (*recording, error) {
	rec, err := r.record(folder)
	if err == nil && rec.code != r.story.code {
		err = fmt.Errorf("exit code %d, want %d; it said\n%s", rec.code, r.story.code, rec.said)
	}
	return rec, err
}

func has(t crash.Tree, name string) bool {
	_, ok := t[name]
	return ok
}

// add adds the numbers that the script of the story "inbox" leaves out.
func (r *rig) add(folder string, env ...string) error { return r.addFile(folder, "c.txt", env...) }

// A cutAt is one of the states that a cut after k operations may leave.
type cutAt struct {
	k    int
	draw uint64
}

func (rec *recording) state(i cutAt) crash.Tree {
	return rec.model.State(i.k, rand.New(rand.NewPCG(uint64(i.k), i.draw)))
}

// instants draws n cuts, each after at least from and at most to operations: no
// two that leave the same state, nor one that was seen. It draws fewer where there
// are not so many.
func (rec *recording) instants(n, from, to int, seen map[uint64]bool) (out []cutAt) {
	for draw := uint64(0); len(out) < n && draw < uint64(20*n); draw++ {
		i := cutAt{from + rand.New(rand.NewPCG(draw, 1)).IntN(to-from+1), draw}
		if sum := rec.state(i).Sum(); !seen[sum] {
			seen[sum] = true
			out = append(out, i)
		}
	}
	return out
}

// restore makes the state that a cut left in a fresh folder.
func (rec *recording) restore(i cutAt) (folder string, err error) {
	if folder, err = os.MkdirTemp("/dev/shm", "multitext-power-"); err != nil {
		if folder, err = os.MkdirTemp("", "multitext-power-"); err != nil {
			return "", err
		}
	}
	return folder, rec.state(i).Write(folder)
}
