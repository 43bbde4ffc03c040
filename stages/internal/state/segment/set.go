package segment

import (
	"slices"

	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/blockfile"
)

// Set is the committed segments of a state, opened for reading.
type Set struct {
	// Keep, if it is set, tells of each old entry that Append would write again whether to keep it.
	// When one is dropped, an older value of its key may become visible in a segment that was not
	// replaced: so Keep is for caches, whose values tell themselves that they are stale.
	Keep func(value []byte) bool

	segments []*Reader // oldest first
	hash     *keyed.Hash
}

// OpenSet opens the segments that the file list names, one path a line, oldest first. An empty
// name, a missing file and an empty one are the empty set. Its keys are made by hash, unless it has
// segments that were made without a secret. Those that were made with another secret are an error
// that wraps keyed.ErrSecret.
func OpenSet(list string, hash *keyed.Hash) (*Set, error) {
	segments, hash, err := blockfile.OpenAll(list, hash, Open)
	if err != nil {
		return nil, err
	}
	return &Set{segments: segments, hash: hash}, nil
}

// Hash is what makes the keys of the set.
func (s *Set) Hash() *keyed.Hash { return s.hash }

// Close releases the set; values handed out are invalid from then on.
func (s *Set) Close() error {
	err := blockfile.CloseAll(s.segments)
	s.segments = nil
	return err
}

// Get returns the newest value of key, valid until Close.
func (s *Set) Get(key uint64) (value []byte, ok bool, err error) {
	for _, r := range slices.Backward(s.segments) {
		if value, ok, err = r.Get(key); ok || err != nil {
			return value, ok, err
		}
	}
	return nil, false, nil
}

// Scan calls do with every key of the set in order and its newest value (nil in a set of keys
// alone), valid until Close. It reads all segments, and checks their blocks.
func (s *Set) Scan(do func(key uint64, value []byte) error) error {
	return each(union(s.segments), do)
}

// Append writes one new segment at path: the entries of b, in whatever order, and with them those
// of the newest segments that the policy (blockfile.Newest) wants replaced. b wins over them, and a newer
// one over an older. Append reports the segments replaced and, as made, the new one. An empty b
// writes nothing, nor does an empty path: then nothing is to be remembered.
func (s *Set) Append(files *output.Run, path string, b Entries, rep *report.Report) error {
	if len(b.Keys) == 0 || path == "" {
		return nil
	}
	b.Sort()
	replaced := s.segments[len(s.segments)-blockfile.Newest(blockfile.Sizes(s.segments), b.size(), ratio):]
	values := b.Values != nil || slices.ContainsFunc(replaced, (*Reader).HasValues)
	w, err := Create(files, path, values, s.hash)
	if err != nil {
		return err
	}
	old := union(replaced)
	if s.Keep != nil {
		old = &wanted{stream: old, keep: s.Keep}
	}
	if err := w.addAll(&pair{a: &once{b}, b: old}); err != nil {
		return err
	}
	if err := w.Close(rep.Made); err != nil {
		return err
	}
	for _, r := range replaced {
		rep.Replaces(r.file.Path)
	}
	return nil
}
