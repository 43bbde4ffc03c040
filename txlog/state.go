package txlog

import (
	"fmt"
	"maps"
	"slices"
	"time"
)

// A State is everything that a log says, folded into one: what is live, what
// was read, what waits, and the totals. It is built by replay alone, and a
// checkpoint is nothing but a State written out.
type State struct {
	Epoch      string // 32 hex digits, drawn once when the crawl is born
	Generation uint64 // counts the checkpoints
	Next       uint64 // above every number ever given out
	Seq        uint64 // records since birth
	LastBatch  uint64 // Seq of the last commit that left a batch

	Batches  map[Name]*Batch
	Segments map[string][]*Segment      // by state, oldest first
	Readers  map[string]map[string]bool // by queue: the stages that read it, as of the last run
	Stages   map[string]*Stage
	Queues   map[string]*Total
	Seeds    map[string]bool  // keys of the seeds brought in
	Requests map[string]bool  // requests answered whose removal may not be durable; true once done
	Parts    map[string]int64 // how much is done of the requests that are answered in part

	// Remove holds the files that left the live set and whose removal may not
	// be durable; true once it was done. Place holds exported files that may
	// still have to be renamed out of work/.
	Remove map[Name]bool
	Place  map[Name]bool

	left *names // what left the live set, while a log is replayed: not yet in Remove
}

// A Batch is a live batch.
type Batch struct {
	Output
	Since time.Time        // when it was committed
	Read  []string         // the stages that have read it
	Marks map[string]*Mark // by stage; nil where nothing failed
}

// A Segment is a live piece of a state.
type Segment struct{ Output }

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

// NewState is the state of a crawl that has just been born.
func NewState(epoch string) *State {
	return &State{
		Epoch: epoch, Next: 1,
		Batches:  map[Name]*Batch{},
		Segments: map[string][]*Segment{},
		Readers:  map[string]map[string]bool{},
		Stages:   map[string]*Stage{},
		Queues:   map[string]*Total{},
		Seeds:    map[string]bool{},
		Requests: map[string]bool{},
		Parts:    map[string]int64{},
		Remove:   map[Name]bool{},
		Place:    map[Name]bool{},
	}
}

// Stage returns what is remembered of a stage, creating it where it is new.
func (s *State) Stage(name string) *Stage {
	st := s.Stages[name]
	if st == nil {
		st = &Stage{Reasons: map[string]int64{}, Counts: map[string]int64{}, Because: map[string]Because{}}
		s.Stages[name] = st
	}
	return st
}

func (s *State) queue(name string) *Total {
	q := s.Queues[name]
	if q == nil {
		q = &Total{}
		s.Queues[name] = q
	}
	return q
}

// HasRead reports whether the stage has read the batch.
func (b *Batch) HasRead(stage string) bool { return slices.Contains(b.Read, stage) }

// Mark returns what the stage has against the batch; the zero Mark if nothing.
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
	s.Seq++
	if n := r.Number(); n >= s.Next {
		s.Next = n + 1
	}
	return r.apply(s)
}

// remove notes that a file has left the live set. A replay notes it in Remove at its
// end: that grows far larger than all else where no checkpoint has shortened the log.
func (s *State) remove(name Name) {
	if s.left != nil {
		s.left.add(name)
		return
	}
	s.Remove[name] = false
}

// replayed ends a replay.
func (s *State) replayed() {
	left := s.left
	s.left = nil
	all := make(map[Name]bool, len(left.lengths)+len(s.Remove))
	maps.Copy(all, s.Remove)
	for name := range left.all {
		all[name] = false
	}
	s.Remove = all
}

func (s *State) ran(stage string, run *Run) *Stage {
	st := s.Stage(stage)
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
		b := s.Batches[m.Name]
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
