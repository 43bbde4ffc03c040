package txlog

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Epoch is the crawl's own name, 32 hex digits.
func (s *State) Epoch() string { return s.epoch }

// Generation counts the checkpoints.
func (s *State) Generation() uint64 { return s.generation }

// Next is above every number ever given out.
func (s *State) Next() uint64 { return s.next }

// Seq is the number of records since birth.
func (s *State) Seq() uint64 { return s.seq }

// LastBatch is Seq of the last commit that left a batch.
func (s *State) LastBatch() uint64 { return s.lastBatch }

// Batch is the live batch of a name, nil if there is none.
func (s *State) Batch(name Name) *Batch { return s.batches[name] }

// Batches are the live batches, in no order.
func (s *State) Batches() iter.Seq2[Name, *Batch] { return maps.All(s.batches) }

// Segments are the live segments of a state, oldest first.
func (s *State) Segments(state string) []Output { return s.segments[state] }

// States are the names of the states that have segments.
func (s *State) States() []string {
	return slices.DeleteFunc(sortedKeys(s.segments), func(name string) bool { return len(s.segments[name]) == 0 })
}

// Live is a live batch or segment; ok is false where there is none of that name.
func (s *State) Live(name Name) (o Output, ok bool) {
	if b := s.batches[name]; b != nil {
		return b.Output, true
	}
	if state, i := s.findSegment(name); i >= 0 {
		return s.segments[state][i], true
	}
	return o, false
}

// findSegment finds a live segment: its state, and where it stands there; -1 if nowhere.
func (s *State) findSegment(name Name) (state string, i int) {
	state = strings.TrimPrefix(name.Dir(), "state/")
	return state, slices.IndexFunc(s.segments[state], func(o Output) bool { return o.Name == name })
}

// Files are all live batches and segments, by name.
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

// Readings are what was read in the last run, sorted by queue and stage.
func (s *State) Readings() []Reading {
	return slices.SortedFunc(maps.Keys(s.readers), func(a, b Reading) int {
		return cmp.Or(cmp.Compare(a.Queue, b.Queue), cmp.Compare(a.Stage, b.Stage))
	})
}

// Reads reports whether a stage read a queue in the last run.
func (s *State) Reads(queue, stage string) bool { return s.readers[Reading{queue, stage}] }

// Stage is what the log says of a stage; the zero Stage of one that never ran.
func (s *State) Stage(name string) Stage {
	if st := s.stages[name]; st != nil {
		return *st
	}
	return Stage{}
}

// Stages are the names of the stages of which a run has ended.
func (s *State) Stages() []string { return sortedKeys(s.stages) }

// Queue counts what was ever committed to a queue.
func (s *State) Queue(name string) Total {
	if q := s.queues[name]; q != nil {
		return *q
	}
	return Total{}
}

// Queues are the names of the queues to which something was committed.
func (s *State) Queues() []string { return sortedKeys(s.queues) }

// Seeded reports whether the seed of that key was brought in.
func (s *State) Seeded(key string) bool { return s.seeds[key] }

// Part is how much is done of a request that is answered in part.
func (s *State) Part(id string) int64 { return s.parts[id] }

// Answered reports whether a request was answered and may still lie in inbox/.
func (s *State) Answered(id string) bool {
	_, ok := s.toClear[id]
	return ok
}

// Pending reports whether a redo action is due for a file, or was carried out since the
// last checkpoint.
func (s *State) Pending(name Name) bool {
	_, removed := s.toRemove[name]
	_, placed := s.toPlace[name]
	return removed || placed
}

// ToRemove are the files that left the live set, but for those known to be removed.
func (s *State) ToRemove() iter.Seq[Name] { return notDone(s.toRemove) }

// ToPlace are the exported files that may still have to be renamed into their place.
func (s *State) ToPlace() iter.Seq[Name] { return notDone(s.toPlace) }

// ToClear are the requests that are answered and may still lie in inbox/.
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
