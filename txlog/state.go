package txlog

import (
	"fmt"
	"slices"
	"time"
)

// A State is the sum of all lines of a log: what is live, what was read, what waits, and the
// totals. Only replay builds it, and a checkpoint is a State that was written out. Only this
// package writes to it. Other packages read it through the methods and change it by Apply.
type State struct {
	epoch      string
	generation uint64
	next       uint64
	seq        uint64
	lastBatch  uint64

	batches  map[Name]*Batch
	segments map[string][]Output // by state, oldest first
	readers  map[Reading]bool    // the readers in the last run of the manager
	stages   map[string]*Stage
	queues   map[string]*Total
	seeds    map[string]bool  // keys of the seeds that were added
	parts    map[string]int64 // how much is done of the requests that are answered in part

	// Redo actions; the value is true once they were done. They are the files that are not live any
	// more and whose removal may not be durable, the exported files that may still have to be
	// renamed out of work/, and the answered requests that may still be in inbox/.
	toRemove map[Name]bool
	toPlace  map[Name]bool
	toClear  map[string]bool
}

// A Batch is a live batch.
type Batch struct {
	Output
	Since time.Time        // the time of its commit
	Read  []string         // the stages that have read it
	Marks map[string]*Mark // by stage; nil if no stage has failed on it
}

// A Reading is a queue and a stage that reads it.
type Reading struct{ Queue, Stage string }

// A Stage contains the data about a stage.
type Stage struct {
	Last    time.Time // start of its last run that has ended
	Seq     uint64    // Seq of its last commit
	Row     int       // failures in a row
	Rest    time.Time // the stage rests until then
	Commits int64
	Aborts  int64 // failed runs, without those that were stopped or said "try later"
	Records int64 // read by its committed runs
	CPU     time.Duration
	Wall    time.Duration
	Memory  int64 // maximum over its runs
	Reasons map[string]int64
	Counts  map[string]int64   // sums of counts, and the last values of gauges
	Because map[string]Because // by name
}

// A Total counts what was ever committed to a queue. It also counts the batches that no stage
// wrote: seeds, and batches from manager add.
type Total struct{ Batches, Records, Bytes, Brought int64 }

// NewState returns the state of a new crawl. The epoch is 32 random hex digits.
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

// stage returns the data about a stage, and creates it for a new stage.
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

// Mark returns the mark of the stage on the batch, or a zero mark if there is none.
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

// Apply applies one record to the state. An error means that the record does not fit the previous
// ones: the log is damaged, or belongs to another crawl.
func (s *State) Apply(r Record) error {
	s.seq++
	s.Reserve(r.Number())
	return r.apply(s)
}

// Reserve keeps a number from being given out, because a file with this number was found.
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
	if a.Failed() {
		st.Aborts++
	}
	st.Row, st.Rest = a.Row, a.Rest
	return nil
}
