package ordered

import (
	"fmt"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

// Edit decides what a merge writes.
type Edit interface {
	// Begin is called first; all tells that every segment of the set is in the merge, so that what
	// is left out is gone.
	Begin(all bool)
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

func (unedited) Begin(bool)                                 {}
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
	edit.Begin(len(replaced) == len(s.segments))
	if err := merge(b.all, newCursor(replaced, true), edit, w.add); err != nil {
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

// merge shows edit the entries of b and old, in order; of equal keys that of b.
func merge(b []entry, old *Cursor, edit Edit, put Put) error {
	key, value, ok, err := old.Next()
	for err == nil && (ok || len(b) > 0) {
		if len(b) > 0 && ok && key == b[0].key {
			key, value, ok, err = old.Next()
			continue
		}
		if ok && (len(b) == 0 || key.Less(b[0].key)) {
			if err = edit.Entry(key, value, put); err == nil {
				key, value, ok, err = old.Next()
			}
			continue
		}
		err = edit.Entry(b[0].key, b[0].value, put)
		b = b[1:]
	}
	if err != nil {
		return err
	}
	return edit.End(put)
}
