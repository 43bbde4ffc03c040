package ordered

import (
	"fmt"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// Edit decides what a merge writes.
type Edit interface {
	// Begin is called first; all tells that every segment of the set is in the merge, so that what
	// is left out is gone. beside walks over the same entries, where Entry must know others, too.
	Begin(all bool, beside *Merged) error
	// Entry is called with each entry of the merge, in order, each key once with its newest value,
	// which is valid until the set is closed. It puts what is to be written.
	Entry(key Key, value []byte, put Put) error
	// End is called behind the last entry.
	End(put Put) error
}

// Put writes an entry. Keys must ascend strictly through a merge. The value is copied.
type Put func(key Key, value []byte) error

// unedited is the Edit that writes everything.
type unedited struct{}

func (unedited) Begin(bool, *Merged) error                  { return nil }
func (unedited) Entry(key Key, value []byte, put Put) error { return put(key, value) }
func (unedited) End(Put) error                              { return nil }

// Append writes one new segment at path: the entries of b, in whatever order, and with them those
// of the newest segments that the policy (blockfile.Newest) wants replaced, and of those that were
// spilled, as edit puts them; a nil edit puts them all. b wins over the segments, and a newer one
// over an older. Append reports the committed segments replaced and, as made, the new one. An empty
// b writes nothing, nor does an empty path: then nothing is to be remembered. An edit that leaves
// nothing is an error, for the manager takes no file without records.
func (s *Set) Append(files *output.Run, path string, b *Entries, edit Edit, rep *report.Report) error {
	if b.Len() == 0 || path == "" {
		return nil
	}
	if edit == nil {
		edit = unedited{}
	}
	b.sort()
	replaced := s.segments[len(s.segments)-s.replaced(b):]
	w, err := create(files, path, s.hash)
	if err != nil {
		return err
	}
	beside := b.with(newCursor(replaced, false).forward())
	if err := edit.Begin(len(replaced) == len(s.segments), beside); err != nil {
		return err
	}
	if err := merge(b.with(newCursor(replaced, true).forward()), edit, w.add); err != nil {
		return err
	}
	if w.total == 0 {
		return fmt.Errorf("write %s %s: no entry is left to write, and a segment has one at least", kind.Name, path)
	}
	if err := w.close(rep.Made); err != nil {
		return err
	}
	for _, r := range replaced[:len(replaced)-s.spilled] {
		rep.Replaces(r.Path)
	}
	return nil
}

// merge shows edit the entries of m, in order.
func merge(m *Merged, edit Edit, put Put) error {
	for {
		key, value, ok, err := m.Next()
		if err != nil {
			return err
		}
		if !ok {
			return edit.End(put)
		}
		if err := edit.Entry(key, value, put); err != nil {
			return err
		}
	}
}
