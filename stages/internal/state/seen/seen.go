// Package seen reports which keys were seen before and remembers new ones. It implements the
// seen-set of filter and the table of links that classify links has sent.
//
// A table is a state (package segment) with 64-bit keys and no values. Many keys are looked up at a
// time, in ascending order, so that lookups in the segments are cheap. A run needs memory for its
// new keys, 8 bytes each, and for one call of Judge, about 35 bytes a key.
package seen

import (
	"slices"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/segment"
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

	// Memory of Judge.
	order    orderer
	keys     []uint64 // that are asked about: ascending, each once
	repeated []bool   // of each of keys: it was met in this run
	known    []bool   // of each of keys: it was met in this run or before
	verdicts []Verdict
}

// Open opens the state whose segments the file list names, as segment.OpenSet has it.
func Open(list string, hash *keyed.Hash) (*Table, error) {
	old, err := segment.OpenSet(list, hash)
	if err != nil {
		return nil, err
	}
	return &Table{old: old}, nil
}

// Hash is what makes the keys of the table.
func (t *Table) Hash() *keyed.Hash { return t.old.Hash() }

// Close releases the state.
func (t *Table) Close() error { return t.old.Close() }

// Judge returns the verdict on each of keys, in their order, valid until the next call. Of equal
// keys the first one is judged, and the others are repeated.
func (t *Table) Judge(keys []uint64) ([]Verdict, error) {
	order := t.order.sort(keys)
	t.keys = t.keys[:0]
	for i, e := range order {
		if i == 0 || e.key != order[i-1].key {
			t.keys = append(t.keys, e.key)
		}
	}
	if err := t.ask(); err != nil {
		return nil, err
	}
	t.verdicts = slices.Grow(t.verdicts[:0], len(keys))[:len(keys)]
	var fresh []uint64
	k := -1 // of t.keys
	for i, e := range order {
		first := i == 0 || e.key != order[i-1].key
		if first {
			k++
		}
		switch {
		case t.known[k] && !t.repeated[k]:
			t.verdicts[e.place] = Old
		case t.known[k] || !first:
			t.verdicts[e.place] = Repeated
		default:
			t.verdicts[e.place] = New
			fresh = append(fresh, e.key)
		}
	}
	t.met.add(fresh)
	return t.verdicts, nil
}

// ask looks up keys.
func (t *Table) ask() error {
	t.repeated = append(t.repeated[:0], make([]bool, len(t.keys))...)
	t.met.mark(t.keys, t.repeated)
	t.known = append(t.known[:0], t.repeated...)
	return t.old.Has(t.keys, t.known)
}

// Save writes the keys that are new in this run, with those of the segments they are merged with,
// as a new segment at path; with an empty path nothing is remembered.
func (t *Table) Save(files *output.Run, path string, rep *report.Report) error {
	return t.old.Append(files, path, segment.Entries{Keys: t.met.all()}, rep)
}
