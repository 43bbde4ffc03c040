package txlog

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Epoch returns the crawl's unique name, 32 hex digits.
func (s *State) Epoch() string { return s.epoch }

// Generation returns the number of checkpoints.
func (s *State) Generation() uint64 { return s.generation }

// Next returns the next transaction number. It is above every number ever given out.
func (s *State) Next() uint64 { return s.next }

// Seq returns the number of records since the crawl began.
func (s *State) Seq() uint64 { return s.seq }

// LastBatch returns the Seq of the last commit that wrote a batch, other than one that brings no
// work.
func (s *State) LastBatch() uint64 { return s.lastBatch }

// Batch returns the live batch with a name, or nil if there is none.
func (s *State) Batch(name Name) *Batch { return s.batches[name] }

// Batches returns the live batches, in no particular order.
func (s *State) Batches() iter.Seq2[Name, *Batch] { return maps.All(s.batches) }

// Segments returns the live segments of a state, oldest first.
func (s *State) Segments(state string) []Output { return s.segments[state] }

// States returns the names of the states that have segments.
func (s *State) States() []string {
	return slices.DeleteFunc(sortedKeys(s.segments), func(name string) bool { return len(s.segments[name]) == 0 })
}

// Live returns the live batch or segment with a name. ok is false if there is none.
func (s *State) Live(name Name) (o Output, ok bool) {
	if b := s.batches[name]; b != nil {
		return b.Output, true
	}
	if state, i := s.findSegment(name); i >= 0 {
		return s.segments[state][i], true
	}
	return o, false
}

// findSegment returns the state of a live segment and its index there, or -1 if it is not live.
func (s *State) findSegment(name Name) (state string, i int) {
	state = strings.TrimPrefix(name.Dir(), "state/")
	return state, slices.IndexFunc(s.segments[state], func(o Output) bool { return o.Name == name })
}

// Files returns all live batches and segments, sorted by name.
func (s *State) Files() []Output {
	files := make([]Output, 0, len(s.batches))
	for _, b := range s.batches {
		files = append(files, b.Output)
	}
	for _, segments := range s.segments {
		files = append(files, segments...)
	}
	slices.SortFunc(files, func(a, b Output) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// Readings returns which stages read which queues in the last run of the manager, sorted by queue
// and stage.
func (s *State) Readings() []Reading {
	return slices.SortedFunc(maps.Keys(s.readers), func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Stage, b.Stage))
	})
}

// Reads reports whether a stage read a queue in the last run of the manager.
func (s *State) Reads(queue, stage string) bool { return s.readers[Reading{queue, stage}] }

// Stage returns the data about a stage. It returns the zero Stage if the stage never ran.
func (s *State) Stage(name string) Stage {
	if st := s.stages[name]; st != nil {
		return *st
	}
	return Stage{}
}

// Stages returns the names of the stages of which a run has ended.
func (s *State) Stages() []string { return sortedKeys(s.stages) }

// Queue returns the totals of what was ever committed to a queue.
func (s *State) Queue(name string) Total {
	if q := s.queues[name]; q != nil {
		return *q
	}
	return Total{}
}

// Queues returns the names of the queues to which something was committed.
func (s *State) Queues() []string { return sortedKeys(s.queues) }

// Seeded reports whether the seed with a key was added.
func (s *State) Seeded(key string) bool { return s.seeds[key] }

// Part returns how much of a request is done that is answered in part.
func (s *State) Part(id string) int64 { return s.parts[id] }

// Answered reports whether a request was answered and may still be in inbox/.
func (s *State) Answered(id string) bool {
	_, ok := s.toClear[id]
	return ok
}

// Pending reports whether a redo action for a file is still to be done, or was done since the last
// checkpoint.
func (s *State) Pending(name Name) bool {
	_, removed := s.toRemove[name]
	_, placed := s.toPlace[name]
	return removed || placed
}

// ToRemove returns the files that are not live any more, except those known to be removed.
func (s *State) ToRemove() iter.Seq[Name] { return notDone(s.toRemove) }

// ToPlace returns the exported files that may still have to be renamed into their queues.
func (s *State) ToPlace() iter.Seq[Name] { return notDone(s.toPlace) }

// ToClear returns the requests that are answered and may still be in inbox/.
func (s *State) ToClear() iter.Seq[string] { return notDone(s.toClear) }

func notDone[T comparable](actions map[T]bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for action, done := range actions {
			if !done && !yield(action) {
				return
			}
		}
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
