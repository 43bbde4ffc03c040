package crawl

import (
	"fmt"
	"slices"
	"time"

	"multitext/txlog"
)

// number sets the number and the time of a record that no stage made.
func (st *Store) number(rec *txlog.Commit) {
	rec.Tx = st.Log.Number()
	now := time.Now()
	rec.Run.Start, rec.Run.End, rec.Read = now, now, -1
}

// Settle commits a transaction: from the instant that its line is durable it has happened. Then
// Settle carries out all of its redo actions. It renames outputs into their queues, deletes files
// that are not live any more, and deletes the transaction's directory last.
func (st *Store) Settle(rec *txlog.Commit) error {
	gone := slices.Concat(rec.Gone, st.forgottenSegments(rec))
	//failpoint:inputs-removed-early for _, in := range rec.Inputs { if in.Gone { st.Dir.Remove(in.Name) } }
	//failpoint:dropped-removed-early for _, name := range rec.Gone { st.Dir.Remove(name) }
	//failpoint:segments-placed-early for _, o := range rec.Segments { st.Dir.Place(o.Name) }
	if err := st.Log.Append(rec); err != nil {
		return err
	}
	//failpoint:segments-placed-early rec.Segments = nil
	for _, outputs := range [][]txlog.Output{rec.Outputs, rec.Segments} {
		for _, o := range outputs {
			if err := st.Dir.Place(o.Name); err != nil {
				return fmt.Errorf("transaction %d is committed and will be finished by the next start: %w", rec.Tx, err)
			}
			st.Log.Done(o.Name)
		}
	}
	for _, in := range rec.Inputs {
		if in.Gone {
			gone = append(gone, in.Name)
		}
	}
	for _, name := range gone {
		if err := st.Remove(name); err != nil {
			return err
		}
	}
	return st.Dir.Clear(rec.Tx)
}

// forgottenSegments returns the segments of the states that a record drops. No run uses them,
// because the script does not name these states.
func (st *Store) forgottenSegments(rec *txlog.Commit) (names []txlog.Name) {
	for _, f := range rec.Forget {
		if f.Kind != "state" {
			continue
		}
		for _, seg := range st.Log.State.Segments(f.Name) {
			names = append(names, seg.Name)
		}
	}
	return names
}

// Remove removes a file that is not live any more. If it cannot be removed, it stays for the next
// start.
func (st *Store) Remove(name txlog.Name) error {
	if err := st.Dir.Remove(name); err != nil {
		if st.Dir.Leave(err) == nil {
			return nil
		}
		return fmt.Errorf("%s is not live any more and will be removed by the next start: %w", name, err)
	}
	st.Log.Done(name)
	return nil
}
