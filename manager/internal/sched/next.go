package sched

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"multitext/script"
	"multitext/txlog"
)

// A Take is what a run is given.
type Take struct {
	Stage *script.Stage
	stage *stage
	taken []*pending
}

// Batches are the inputs, in the order in which they were taken.
func (k *Take) Batches() []*txlog.Batch {
	out := make([]*txlog.Batch, len(k.taken))
	for i, e := range k.taken {
		out[i] = e.batch
	}
	return out
}

// Next takes the inputs of the run that should start now; nil if none may.
// Among those that may, the stage whose last start is longest ago goes first.
// When none may and nothing runs, the first stage in the script's order that
// lacks nothing but its min starts with less: else the crawl would stand still.
func (t *Table) Next(env Environment) *Take {
	t.advance(env.Now)
	var best *stage
	for _, st := range t.stages {
		if t.mayStart(st, &env, false) && (best == nil || st.last().Before(best.last())) {
			best = st
		}
	}
	for _, st := range t.stages {
		if best == nil && t.running == 0 && t.mayStart(st, &env, true) {
			best = st
		}
	}
	if best == nil {
		return nil
	}
	return t.take(best, env.Now)
}

// maxList bounds the paths of a run's inputs, in bytes: together they stand in one
// word of its environment or of its shell's text, of which Linux takes 128 KiB.
const maxList = 100 << 10

func (t *Table) take(st *stage, now time.Time) *Take {
	k := &Take{Stage: st.Stage, stage: st}
	for list := 0; len(k.taken) < st.Take && list < maxList; {
		e := st.pick(len(k.taken) > 0)
		if e == nil {
			break
		}
		k.taken = append(k.taken, e)
		list += len(t.script.Dir) + len(e.batch.Name) + len("/''\n")
		if e.batch.Mark(st.Name).Alone {
			break
		}
	}
	st.running++
	t.running++
	st.started = now
	return k
}

// pick gives the next batch, the input queues in turn. A batch that is to be
// run alone is passed over while others were picked.
func (s *stage) pick(others bool) *pending {
	for range s.inputs {
		in := s.inputs[s.turn]
		s.turn = (s.turn + 1) % len(s.inputs)
		if len(in.ready) == 0 || others && in.ready[0].batch.Mark(s.Name).Alone {
			continue
		}
		e := heap.Pop(&in.ready).(*pending)
		in.count(e, -1)
		in.bytes -= e.batch.Size
		return e
	}
	return nil
}

// Committed says that the run's inputs were read. Its outputs join by Add.
func (t *Table) Committed(k *Take) {
	t.ended(k)
	k.stage.lost = false
	for _, e := range k.taken {
		t.queues[e.batch.Name.Queue()].release(e.item)
	}
}

// Aborted puts the run's inputs back to where their marks, by now folded into
// the state, say.
func (t *Table) Aborted(k *Take, now time.Time) {
	t.ended(k)
	for _, e := range k.taken {
		t.queues[e.batch.Name.Queue()].release(e.item)
		k.stage.place(e.item, now)
	}
}

// Refused says that the stage's program could not be started: nothing is
// charged, and the stage rests until then.
func (t *Table) Refused(k *Take, now, until time.Time) {
	t.Aborted(k, now)
	k.stage.refused = until
}

// Lose says that a stage has put itself off, or refused its command, for so long that the crawl
// may end without it. It is started as before while the crawl goes on.
func (t *Table) Lose(k *Take) { k.stage.lost = true }

func (t *Table) ended(k *Take) {
	k.stage.running--
	t.running--
}

// WaitsForDisk reports whether a stage would start if there were more room on the disk.
func (t *Table) WaitsForDisk(env Environment) bool {
	roomy := env
	roomy.Free = math.MaxInt64
	starts := func(st *stage) bool { return t.mayStart(st, &roomy, true) }
	return !t.Disk(env).OK && slices.ContainsFunc(t.stages, starts)
}

// Running is the number of runs under way.
func (t *Table) Running() int { return t.running }

// Wake is the earliest time at which the clock alone lets something start or
// become due; zero if it never will.
func (t *Table) Wake(env Environment) time.Time {
	var wake time.Time
	sooner := func(u time.Time) {
		if u.After(env.Now) && (wake.IsZero() || u.Before(wake)) {
			wake = u
		}
	}
	for _, st := range t.stages {
		sooner(st.nextDue())
		for _, c := range t.Conditions(st.Name, env) {
			sooner(c.Until)
		}
	}
	return wake
}

func (s *stage) nextDue() time.Time {
	var due time.Time
	for _, in := range s.inputs {
		if len(in.held) > 0 && (due.IsZero() || in.held[0].until.Before(due)) {
			due = in.held[0].until
		}
	}
	return due
}

// Waiting is what waits for a stage.
type Waiting struct {
	Ready     int   // batches
	Held      int   // batches that wait for a time
	Aside     int   // batches set aside
	Records   int64 // of the batches that are ready or held
	Uncounted int   // of these, batches whose records nobody has counted
}

// Waiting tells what waits for a stage.
func (t *Table) Waiting(stage string) (w Waiting) {
	if st := t.byName[stage]; st != nil {
		w = st.waiting()
	}
	return w
}

func (s *stage) waiting() (w Waiting) {
	for _, in := range s.inputs {
		w.Ready += len(in.ready)
		w.Held += len(in.held)
		w.Aside += in.aside
		w.Records += in.records
		w.Uncounted += in.uncounted
	}
	return w
}

// Owed tells how many batches of a queue are owed and due: what its full is measured by.
func (t *Table) Owed(queue string) int {
	if q := t.queues[queue]; q != nil {
		return q.count
	}
	return 0
}

// Done reports whether the crawl has come to its end: nothing runs, no batch waits, and every
// stage that starts by the clock alone has run since the last commit that left a batch, and has
// not failed since. Batches that were set aside do not count, nor do those of a stage that was
// lost. failed is true where work was set aside or a stage that starts by the clock has failed
// for good or was lost.
func (t *Table) Done() (done, failed bool) {
	if t.running > 0 {
		return false, false
	}
	for _, st := range t.stages {
		w := st.waiting()
		if w.Ready+w.Held > 0 && !st.lost {
			return false, false
		}
		failed = failed || w.Aside > 0 || st.lost
		memory := st.memory()
		if len(st.In) > 0 || memory.Seq > t.state.LastBatch() && memory.Row == 0 {
			continue
		}
		if memory.Row <= st.Retry && !st.lost {
			return false, false
		}
		failed = true
	}
	return true, failed
}
