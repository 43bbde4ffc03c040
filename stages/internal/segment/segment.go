// Package segment is being written: the signatures below are settled.
package segment

import (
	"errors"

	"multitext/stages/internal/output"
	"multitext/stages/internal/report"
)

var errTodo = errors.New("segment: not yet written")

// Batch is entries to look up or to write: keys in ascending order, each once, and
// their values. Values is nil for a state of keys alone, else as long as Keys.
type Batch struct {
	Keys   []uint64
	Values [][]byte
}

// Sort sorts b by key and keeps of equal keys the last one added.
func (b *Batch) Sort() {}

// Set is the committed segments of a state, opened for reading.
type Set struct{}

// OpenSet opens the segments listed in the file list (one absolute path a line, oldest first). An
// empty name, a missing file or an empty one is an empty set.
func OpenSet(list string) (*Set, error) { return nil, errTodo }

// Close releases the set; values handed out are invalid from then on.
func (s *Set) Close() error { return nil }

// Get returns the newest value of key, valid until Close.
func (s *Set) Get(key uint64) (value []byte, ok bool, err error) { return nil, false, errTodo }

// Probe looks up keys, which ascend, and calls found with the index of each that is there and its
// newest value (empty in a set of keys alone), in ascending order. Values are valid until Close.
func (s *Set) Probe(keys []uint64, found func(i int, value []byte)) error { return errTodo }

// Append writes one new segment at path: the entries of b, and with them those of the newest
// segments that the tiered policy wants replaced (newest wins), which it reports with
// Replaces; the segment itself with Made. An empty b writes nothing.
func (s *Set) Append(files *output.Run, path string, b Batch, rep *report.Report) error {
	return errTodo
}
