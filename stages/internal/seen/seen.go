// Package seen tells which keys were met before, and remembers those that are met: the seen-set of
// filter, and what classify links has sent.
//
// A table is a state of segments (package segment) of 64-bit keys without values. Keys are judged
// many at a time, in ascending order, so that probing the segments is cheap; the memory of a run
// is that of the keys that are new in it, 8 bytes each, and of one call of Judge.
package seen

import (
	"cmp"
	"slices"

	"multitext/stages/internal/output"
	"multitext/stages/internal/report"
	"multitext/stages/internal/segment"
)

// Verdict is what a table says of a key.
type Verdict uint8

const (
	New      Verdict = iota // never met; from now on it is
	Repeated                // met before in this run
	Old                     // met in an earlier run
)

// Table is the keys of a state and those of this run.
type Table struct {
	old *segment.Set
	met met

	order    []entry
	verdicts []Verdict
}

// entry is a key and its place among those that are judged.
type entry struct {
	key   uint64
	place int
}

// Open opens the state whose segments the file list names, as segment.OpenSet has it.
func Open(list string) (*Table, error) {
	old, err := segment.OpenSet(list)
	if err != nil {
		return nil, err
	}
	return &Table{old: old}, nil
}

// Close releases the state.
func (t *Table) Close() error { return t.old.Close() }

// Judge returns the verdict on each of keys, in their order, valid until the next call. Of equal
// keys the first one is judged, and the others are repeated.
func (t *Table) Judge(keys []uint64) ([]Verdict, error) {
	t.order = t.order[:0]
	for i, key := range keys {
		t.order = append(t.order, entry{key, i})
	}
	slices.SortFunc(t.order, func(a, b entry) int {
		if a.key != b.key { // cmp.Or would compare both, and take half as long again
			return cmp.Compare(a.key, b.key)
		}
		return cmp.Compare(a.place, b.place)
	})
	t.verdicts = slices.Grow(t.verdicts[:0], len(keys))[:len(keys)]
	var fresh []uint64
	for _, e := range t.order {
		v, err := t.judge(e.key, fresh)
		if err != nil {
			return nil, err
		}
		if t.verdicts[e.place] = v; v == New {
			fresh = append(fresh, e.key)
		}
	}
	t.met.add(fresh)
	return t.verdicts, nil
}

// judge judges key; fresh are the new ones below it, and at most one that equals it.
func (t *Table) judge(key uint64, fresh []uint64) (Verdict, error) {
	if n := len(fresh); n > 0 && fresh[n-1] == key || t.met.has(key) {
		return Repeated, nil
	}
	_, old, err := t.old.Get(key)
	if old {
		return Old, err
	}
	return New, err
}

// Save writes the keys that are new in this run, with those of the segments they are merged with, as a
// new segment at path; with an empty path nothing is remembered.
func (t *Table) Save(files *output.Run, path string, rep *report.Report) error {
	if path == "" {
		return nil
	}
	return t.old.Append(files, path, segment.Batch{Keys: t.met.all()}, rep)
}
