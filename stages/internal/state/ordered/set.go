package ordered

import (
	"slices"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/state/blockfile"
)

// Set is the committed segments of a state, opened for reading.
type Set struct {
	segments []*reader // oldest first
	hash     *keyed.Hash
	ratio    int64 // of the policy
	spilled  int   // of the newest segments those that are the run's own
	whole    bool  // the next Append replaces all
}

// ratio of the policy of merging (blockfile.Newest): a segment is larger than the one behind it. With
// 3, as in package segment, a lookup asked a third fewer segments, and a run wrote 1.6 times as many
// bytes and took a fifth more of a processor (BenchmarkRuns). A stage that walks in order seldom asks
// for what is not there. What merges drop is on the disk until then: at most as much as all the rest.
const ratio = 1

// OpenSet opens the segments that the file list names, one path a line, oldest first. An empty
// name, a missing file and an empty one are the empty set. Its keys are made by hash, unless it has
// segments that were made without a secret. Those that were made with another secret are an error
// that wraps keyed.ErrSecret.
func OpenSet(list string, hash *keyed.Hash) (*Set, error) {
	segments, hash, err := blockfile.OpenAll(list, hash, openReader)
	if err != nil {
		return nil, err
	}
	return &Set{segments: segments, hash: hash, ratio: ratio}, nil
}

// Hash is what makes the keys of the set.
func (s *Set) Hash() *keyed.Hash { return s.hash }

// Empty tells whether the set has no segments.
func (s *Set) Empty() bool { return len(s.segments) == 0 }

// Close releases the set; values handed out are invalid from then on.
func (s *Set) Close() error {
	err := blockfile.CloseAll(s.segments)
	s.segments = nil
	return err
}

// Get returns the newest value of key, valid until Close.
func (s *Set) Get(key Key) (value []byte, ok bool, err error) {
	for _, r := range slices.Backward(s.segments) {
		if value, ok, err = r.get(key); ok || err != nil {
			return value, ok, err
		}
	}
	return nil, false, nil
}

// Cursor returns a walk over the set, which ends when the set is closed.
func (s *Set) Cursor() *Cursor { return newCursor(s.segments, false) }

// Sizes returns the bytes of the set's segments, oldest first.
func (s *Set) Sizes() []int64 { return blockfile.Sizes(s.segments) }
