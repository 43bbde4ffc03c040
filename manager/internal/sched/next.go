package sched

import (
	"container/heap"
	"math"
	"slices"
	"time"

	"multitext/script"
	"multitext/txlog"
)

// A Take is the set of inputs of a run.
type Take struct {
	Stage *script.Stage
	stage *stage
	taken []*pending
}

// Batches returns the inputs in the order in which they were taken.
func (k *Take) Batches() []*txlog.Batch {
	out := make([]*txlog.Batch, len(k.taken))
	for i, e := range k.taken {
		out[i] = e.batch
	}
	return out
}

// Next returns the inputs of the run that should start now, or nil if no stage may start. Of
// several stages it chooses the one whose last start was longest ago. If no stage may start and
// nothing runs, the crawl would stand still. Then batches are due whose due time is only the
// latest. If there is none, Next ignores min and chooses the first such stage in the script. So a
// stage that waits for its min does not start while a frontier waits for links that will not come.
func (t *Table) Next(env Environment) *Take {
	t.advance(env.Now)
	var best *stage
	for _, st := range t.stages {
		if t.mayStart(st, &env, false) && (best == nil || st.last().Before(best.last())) {
			best = st
		}
	}
	if best == nil && t.running == 0 && t.hasten(env.Now) {
		return t.Next(env)
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

// maxList is the maximum total length of the paths of a run's inputs, in bytes. Together the paths
// form one word of its environment or of its shell text. Linux limits a word to 128 KiB.
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

// pick returns the next batch and takes the input queues in turn. It skips a batch that must be run
// alone if others were picked already.
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

// Committed records that the run has read its inputs. Add adds its outputs.
func (t *Table) Committed(k *Take) {
	t.ended(k)
	k.stage.lost = false
	for _, e := range k.taken {
		t.queues[e.batch.Name.Queue()].release(e.item)
	}
}

// Aborted puts the run's inputs back, according to their marks, which are in the state already.
func (t *Table) Aborted(k *Take, now time.Time) {
	t.ended(k)
	for _, e := range k.taken {
		t.queues[e.batch.Name.Queue()].release(e.item)
		k.stage.place(e.item, now)
	}
}

// Refused records that the stage's program could not be started. No failure is counted, and the
// stage rests until the given time.
func (t *Table) Refused(k *Take, now, until time.Time) {
	t.Aborted(k, now)
	k.stage.refused = until
}

// Lose records that a stage has been put off, or has rejected its command, for so long that the
// crawl may end without it. Until the crawl ends, the stage is started as before.
func (t *Table) Lose(k *Take) { k.stage.lost = true }

func (t *Table) ended(k *Take) {
	k.stage.running--
	t.running--
}

// WaitsForDisk reports whether a stage would start if the disk had more free space.
func (t *Table) WaitsForDisk(env Environment) bool {
	roomy := env
	roomy.Free = math.MaxInt64
	starts := func(st *stage) bool { return t.mayStart(st, &roomy, true) }
	return !t.Disk(env).OK && slices.ContainsFunc(t.stages, starts)
}

// Running returns the number of runs in progress.
func (t *Table) Running() int { return t.running }

// Wake returns the earliest time at which something starts or becomes due by the clock alone. It
// returns zero if there is none.
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

// A Waiting is the work that waits for a stage.
type Waiting struct {
	Ready     int   // batches
	Held      int   // batches that are not due yet
	Aside     int   // batches set aside
	Records   int64 // records of the batches that are ready or held
	Uncounted int   // the number of these batches whose records are unknown
}

// Waiting returns the work that waits for a stage.
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

// Owed returns the number of batches of a queue that are owed and due, which full limits.
func (t *Table) Owed(queue string) int {
	if q := t.queues[queue]; q != nil {
		return q.count
	}
	return 0
}

// Fill returns how near a queue is to its full limit: 1 at the limit, 0 without one.
func (t *Table) Fill(queue string) float64 {
	q := t.queues[queue]
	switch {
	case q == nil:
		return 0
	case q.Full.Batches > 0:
		return float64(q.count) / float64(q.Full.Batches)
	case q.Full.Bytes > 0:
		return float64(q.bytes) / float64(q.Full.Bytes)
	}
	return 0
}

// Done reports whether the crawl is done. Nothing runs and no batch waits. Every stage that only
// the clock starts has run since the last commit with a batch that may bring work, and has not
// failed since. Batches
// that were set aside do not count, and neither do stages that were lost. failed reports whether a
// batch was set aside, or a stage that the clock starts has failed permanently or was lost.
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
