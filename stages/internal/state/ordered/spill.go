package ordered

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/state/blockfile"
)

// Spill puts the entries of b into the set, as its newest segment, in a file that has no name any
// more when Spill returns; until then it is in a folder of its own within folder ("": that of the
// system for temporary files). So a run can go on with less memory. Append writes the entries into
// the segment that it makes. Cursors that were made before do not see them.
func (s *Set) Spill(folder string, b *Entries) (err error) {
	if b.Len() == 0 {
		return nil
	}
	folder, err = os.MkdirTemp(folder, ".spill-")
	if err != nil {
		return fmt.Errorf("make a folder for what does not fit into memory: %w", err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "segment")
	w, err := create(output.NewRun(io.Discard), path, s.hash)
	if err != nil {
		return err
	}
	b.sort()
	for _, e := range b.all {
		if err := w.add(e.key, b.values[e.at]); err != nil {
			return err
		}
	}
	if err := w.close(nil); err != nil {
		return err
	}
	r, err := openReader(path)
	if err != nil {
		return err
	}
	s.segments = append(s.segments, r)
	s.spilled++
	return nil
}

// MergeAll has the next Append replace all segments, whatever the policy says.
func (s *Set) MergeAll() { s.whole = true }

// replaced returns how many of the newest segments are replaced by one with b.
func (s *Set) replaced(b *Entries) int {
	if s.whole {
		return len(s.segments)
	}
	sizes, size := s.Sizes(), b.size
	committed := len(sizes) - s.spilled
	for _, n := range sizes[committed:] {
		size += n
	}
	return s.spilled + blockfile.Newest(sizes[:committed], size, s.ratio)
}
