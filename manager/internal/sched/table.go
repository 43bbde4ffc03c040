// Package sched decides which stage may start, and explains why a stage does not start. It has no
// side effects. Its inputs are the script, the state of the log, the runs in progress, and the
// time.
//
// A Table contains the waiting batches of every stage and each of its input queues. Ready batches
// are sorted by name, and held batches by due time. Adding or removing a batch costs O(log n). So
// an event costs about the same with ten waiting batches as with a hundred thousand.
//
// There is only one list of start conditions (conditions.go). Next starts a stage if all of them
// are met, and Conditions shows the same list to the user.
package sched

import (
	"container/heap"
	"slices"
	"time"

	"multitext/script"
	"multitext/txlog"
)

// A Table records which batches wait for which stages.
type Table struct {
	script  *script.Script
	state   *txlog.State
	stages  []*stage
	byName  map[string]*stage
	queues  map[string]*queue
	running int
}

// A stage is a stage of the script, with the batches that wait for it.
type stage struct {
	*script.Stage
	state   *txlog.State
	inputs  []*input
	turn    int       // the input to pick the next batch from
	started time.Time // the last start by this table, or of a run in progress
	running int
	refused time.Time // no start before then, because its program could not be started
	lost    bool      // the crawl may end without it; see Done
}

// An input is a queue from the view of one of its readers.
type input struct {
	queue *queue
	ready dueHeap
	held  dueHeap
	aside int
	bytes int64 // bytes of the ready batches

	records   int64 // records of the ready and held batches
	uncounted int   // the number of these batches whose records are unknown
}

// A queue counts the batches that are owed and due, which full limits.
type queue struct {
	*script.Queue
	count int
	bytes int64
}

// An item is a waiting batch. The pending items of its readers share it.
type item struct {
	batch  *txlog.Batch
	active int // the number of readers for which it is ready or which read it now
}

// A pending is an item from the view of one reader.
type pending struct {
	*item
	until time.Time // not due before then; zero if it is ready
}

// A Running is a run in progress when a Table is created.
type Running struct {
	Stage  string
	Inputs []txlog.Name
	Start  time.Time
	Take   *Take // its inputs in the previous table, which this table replaces; nil if there is none
}

// New returns the table of a crawl.
func New(s *script.Script, state *txlog.State, running []Running, now time.Time) *Table {
	t := &Table{script: s, state: state, byName: map[string]*stage{}, queues: map[string]*queue{}}
	for _, q := range s.Queues {
		t.queues[q.Name] = &queue{Queue: q}
	}
	for _, st := range s.Stages {
		view := &stage{Stage: st, state: state}
		for _, name := range st.In {
			view.inputs = append(view.inputs, &input{queue: t.queues[name]})
		}
		t.stages = append(t.stages, view)
		t.byName[st.Name] = view
	}
	taken := t.resume(running)
	for _, b := range state.Batches() {
		t.add(b, taken, now)
	}
	return t
}

// A reading is a batch that a stage reads.
type reading struct {
	stage string
	batch txlog.Name
}

// resume adds the runs in progress to this table and returns what they read. It binds the Takes of
// the previous table to this one, so that this table is told when they end.
func (t *Table) resume(running []Running) map[reading]*pending {
	taken := map[reading]*pending{}
	for _, r := range running {
		st := t.byName[r.Stage]
		if st == nil {
			continue
		}
		st.running++
		t.running++
		st.started = later(st.started, r.Start)
		for i, name := range r.Inputs {
			e := &pending{}
			if r.Take != nil {
				e = r.Take.taken[i]
			}
			taken[reading{r.Stage, name}] = e
		}
		if r.Take != nil {
			r.Take.stage = st
		}
	}
	return taken
}

// Add shows a new live batch to its readers.
func (t *Table) Add(b *txlog.Batch, now time.Time) { t.add(b, nil, now) }

func (t *Table) add(b *txlog.Batch, taken map[reading]*pending, now time.Time) {
	q := t.queues[b.Name.Queue()]
	if q == nil {
		return
	}
	it := &item{batch: b}
	for _, reader := range q.Readers {
		switch e := taken[reading{reader.Name, b.Name}]; {
		case b.HasRead(reader.Name):
		case e != nil:
			e.item = it
			q.activate(it)
		default:
			t.byName[reader.Name].place(it, now)
		}
	}
}

// memory returns what the log records about the stage.
func (s *stage) memory() txlog.Stage { return s.state.Stage(s.Name) }

// last returns when the stage was last started. The log contains only runs that have ended, because
// its content after a crash must not depend on the time of the last checkpoint.
func (s *stage) last() time.Time { return later(s.memory().Last, s.started) }

func (s *stage) input(queue string) *input {
	for _, in := range s.inputs {
		if in.queue.Name == queue {
			return in
		}
	}
	return nil
}

// place puts an item into the ready or held batches of its readers, according to its marks and due
// time.
func (s *stage) place(it *item, now time.Time) {
	in := s.input(it.batch.Name.Queue())
	mark := it.batch.Mark(s.Name)
	if mark.Aside {
		in.aside++
		return
	}
	e := &pending{item: it, until: later(it.batch.Due, mark.Until)}
	in.count(e, 1)
	if e.until.After(now) {
		heap.Push(&in.held, e)
		return
	}
	in.makeReady(e)
}

// count adds the records of an item to the waiting ones; with -1 it subtracts them.
func (in *input) count(e *pending, by int) {
	if e.batch.Records < 0 {
		in.uncounted += by
	} else {
		in.records += int64(by) * e.batch.Records
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func (in *input) makeReady(e *pending) {
	e.until = time.Time{}
	in.queue.activate(e.item)
	in.bytes += e.batch.Size
	heap.Push(&in.ready, e)
}

func (q *queue) activate(it *item) {
	if it.active++; it.active == 1 {
		q.count++
		q.bytes += it.batch.Size
	}
}

func (q *queue) release(it *item) {
	if it.active--; it.active == 0 {
		q.count--
		q.bytes -= it.batch.Size
	}
}

// hasten moves the batches from held to ready for which their stage waits only because of a due time that
// is the latest. It reports whether there were any.
func (t *Table) hasten(now time.Time) (some bool) {
	for _, st := range t.stages {
		for _, in := range st.inputs {
			for _, e := range slices.Clone(in.held) {
				if e.batch.Latest && !e.batch.Mark(st.Name).Until.After(now) {
					heap.Remove(&in.held, slices.Index(in.held, e))
					in.makeReady(e)
					some = true
				}
			}
		}
	}
	return some
}

// advance moves the batches that are due from held to ready.
func (t *Table) advance(now time.Time) {
	for _, st := range t.stages {
		for _, in := range st.inputs {
			for len(in.held) > 0 && !in.held[0].until.After(now) {
				in.makeReady(heap.Pop(&in.held).(*pending))
			}
		}
	}
}
