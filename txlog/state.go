package txlog

import (
	"fmt"
	"slices"
	"time"
)

// A State is everything that a log says, folded into one: what is live, what
// was read, what waits, and the totals. It is built by replay alone, and a
// checkpoint is nothing but a State written out. This package alone writes to it:
// others read what the methods return, and change it by Apply.
type State struct {
	epoch      string
	generation uint64
	next       uint64
	seq        uint64
	lastBatch  uint64

	batches  map[Name]*Batch
	segments map[string][]Output // by state, oldest first
	readers  map[Reading]bool    // as of the last run
	stages   map[string]*Stage
	queues   map[string]*Total
	seeds    map[string]bool  // keys of the seeds brought in
	parts    map[string]int64 // how much is done of the requests that are answered in part

	// Redo actions, true once they were done: the files that left the live set and whose
	// removal may not be durable, exported files that may still have to be renamed out of
	// work/, and answered requests that may still lie in inbox/.
	toRemove map[Name]bool
	toPlace  map[Name]bool
	toClear  map[string]bool
}

// A Batch is a live batch.
type Batch struct {
	Output
	Since time.Time        // when it was committed
	Read  []string         // the stages that have read it
	Marks map[string]*Mark // by stage; nil where nothing failed
}

// A Reading says that a stage reads a queue.
type Reading struct{ Queue, Stage string }

// A Stage holds what is remembered of a stage.
type Stage struct {
	Last    time.Time // start of its last run that has ended
	Seq     uint64    // of its last commit
	Row     int       // failures in a row
	Rest    time.Time // rests until then
	Commits int64
	Aborts  int64 // failed runs; not those that were stopped or said "try later"
	Records int64 // read by its committed runs
	CPU     time.Duration
	Wall    time.Duration
	Memory  int64 // largest peak
	Reasons map[string]int64
	Counts  map[string]int64
	Because map[string]Because // by name
}

// A Total counts what was ever committed to a queue, and how many of the batches no stage
// made: seeds, and what was added.
type Total struct{ Batches, Records, Bytes, Brought int64 }

// NewState is the state of a crawl that has just been born. The epoch is 32 hex digits,
// drawn once.
func NewState(epoch string) *State {
	return &State{
		epoch: epoch, next: 1,
		batches:  map[Name]*Batch{},
		segments: map[string][]Output{},
		readers:  map[Reading]bool{},
		stages:   map[string]*Stage{},
		queues:   map[string]*Total{},
		seeds:    map[string]bool{},
		parts:    map[string]int64{},
		toRemove: map[Name]bool{},
		toPlace:  map[Name]bool{},
		toClear:  map[string]bool{},
	}
}

// stage is what is remembered of a stage, made where it is new.
func (s *State) stage(name string) *Stage {
	st := s.stages[name]
	if st == nil {
		st = newStage()
		s.stages[name] = st
	}
	return st
}

func newStage() *Stage {
	return &Stage{Reasons: map[string]int64{}, Counts: map[string]int64{}, Because: map[string]Because{}}
}

func (s *State) queue(name string) *Total {
	q := s.queues[name]
	if q == nil {
		q = &Total{}
		s.queues[name] = q
	}
	return q
}

// HasRead reports whether the stage has read the batch.
func (b *Batch) HasRead(stage string) bool { return slices.Contains(b.Read, stage) }

// Mark is the mark that the stage has on the batch; a zero one if it has none.
func (b *Batch) Mark(stage string) Mark {
	if m := b.Marks[stage]; m != nil {
		return *m
	}
	return Mark{Name: b.Name, Stage: stage}
}

func (b *Batch) setMark(m Mark) {
	if m.Zero() {
		b.unmark(m.Stage)
		return
	}
	if b.Marks == nil {
		b.Marks = map[string]*Mark{}
	}
	b.Marks[m.Stage] = &m
}

func (b *Batch) unmark(stage string) {
	if delete(b.Marks, stage); len(b.Marks) == 0 {
		b.Marks = nil
	}
}

// Apply folds one record into the state. An error means that the record does
// not fit what came before: the log is damaged, or it is another crawl's.
func (s *State) Apply(r Record) error {
	s.seq++
	s.Reserve(r.Number())
	return r.apply(s)
}

// Reserve keeps a number from being given out: something of it was found.
func (s *State) Reserve(tx uint64) {
	//failpoint:number-reused return
	s.next = max(s.next, tx+1)
}

func (s *State) ran(stage string, run *Run) *Stage {
	st := s.stage(stage)
	if run.Start.After(st.Last) {
		st.Last = run.Start
	}
	st.CPU += run.CPU
	if !run.End.IsZero() {
		st.Wall += run.End.Sub(run.Start)
	}
	st.Memory = max(st.Memory, run.Memory)
	return st
}

func (a *Abort) apply(s *State) error {
	for _, m := range a.Marks {
		b := s.batches[m.Name]
		if b == nil {
			return fmt.Errorf("transaction %d marks %s, which is not live", a.Tx, m.Name)
		}
		b.setMark(m)
	}
	st := s.ran(a.Stage, &a.Run)
	if a.Why != WhyStopped && a.Why != WhyLater {
		st.Aborts++
	}
	st.Row, st.Rest = a.Row, a.Rest
	return nil
}
