// Package sched decides which stage may start, and explains why one does not.
// It is pure: it knows the script, the state of the log, which runs are under
// way and what the clock says, and does nothing.
//
// The Table keeps, for every stage and each of its input queues, the batches
// that wait: ready ones by name, held ones by the time they are due. A batch
// joins or leaves in O(log n), so that an event costs the same with ten and
// with a hundred thousand batches waiting.
//
// There is one list of start conditions (conditions.go). Next starts a stage
// when each of them holds, and Conditions shows the same list to the user.
package sched

import (
	"container/heap"
	"time"

	"multitext/script"
	"multitext/txlog"
)

// A Table is what waits for whom.
type Table struct {
	script  *script.Script
	state   *txlog.State
	stages  []*stage
	byName  map[string]*stage
	queues  map[string]*queue
	running int
}

// A stage is one of the script's with what waits for it.
type stage struct {
	*script.Stage
	state   *txlog.State
	inputs  []*input
	turn    int       // input that gives the next batch
	started time.Time // by this table, or a run under way
	running int
	refused time.Time // its program could not be started; not before then
	lost    bool      // the end does not wait for it any more; see Done
}

// An input is a queue as one of its readers sees it.
type input struct {
	queue *queue
	ready dueHeap
	held  dueHeap
	aside int
	bytes int64 // of the ready ones

	records   int64 // of those that are ready or held
	uncounted int   // of these, batches whose records nobody has counted
}

// A queue counts the batches that are owed and due: what back-pressure is
// measured by.
type queue struct {
	*script.Queue
	count int
	bytes int64
}

// An item is a waiting batch. The pending items of its readers share it.
type item struct {
	batch  *txlog.Batch
	active int // readers for which it is ready or being read
}

// A pending item is an item as one reader sees it.
type pending struct {
	*item
	until time.Time // held until then; zero once it is ready
}

// A Running is a run under way when a Table is built from outside.
type Running struct {
	Stage  string
	Inputs []txlog.Name
	Start  time.Time
	Take   *Take // of the table before, whose place this one takes; nil if there is none
}

// New builds the table of a crawl.
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

// A reading is that of a batch by a stage.
type reading struct {
	stage string
	batch txlog.Name
}

// resume counts the runs under way as this table's, and returns what they read. What the table
// before handed out is bound to this one, so that its end is told here.
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

// Add puts a batch that has joined the live set before its readers.
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

// memory is what the log remembers of the stage.
func (s *stage) memory() txlog.Stage { return s.state.Stage(s.Name) }

// last is when the stage was last started. The log knows of runs that have ended, and of
// them alone: what it says after a crash must not depend on when a checkpoint was made.
func (s *stage) last() time.Time { return later(s.memory().Last, s.started) }

func (s *stage) input(queue string) *input {
	for _, in := range s.inputs {
		if in.queue.Name == queue {
			return in
		}
	}
	return nil
}

// place puts an item where its marks and due time say.
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

// count adds the records of an item to those that wait, or with -1 subtracts them.
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

// advance moves what has become due from the held to the ready.
func (t *Table) advance(now time.Time) {
	for _, st := range t.stages {
		for _, in := range st.inputs {
			for len(in.held) > 0 && !in.held[0].until.After(now) {
				in.makeReady(heap.Pop(&in.held).(*pending))
			}
		}
	}
}
