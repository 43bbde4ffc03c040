package crawl

import (
	"fmt"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// held counts the live batches of queues that the script exports: an edit has made them
// others' that were the crawl's own when they were committed.
func held(s *script.Script, state *txlog.State) map[string][]txlog.Name {
	out := map[string][]txlog.Name{}
	for name := range state.Batches() {
		if q := s.Queue(name.Queue()); q != nil && q.Export {
			out[q.Name] = append(out[q.Name], name)
		}
	}
	return out
}

// export gives them away, each queue in one transaction, before anything else: from then
// on no start misses what another machine has taken.
func (st *Store) export(say func(string)) error {
	for queue, names := range held(st.Script, st.Log.State) {
		rec := &txlog.Commit{Export: queue, Notes: []string{exported(queue, len(names))}}
		st.number(rec)
		if err := st.Log.Append(rec); err != nil {
			return err
		}
		for _, name := range names {
			st.Log.Done(name)
		}
		say(rec.Notes[0])
	}
	return nil
}

// PlanExport says in words what of this a start would do.
func PlanExport(s *script.Script, state *txlog.State) (out []string) {
	for queue, names := range held(s, state) {
		out = append(out, exported(queue, len(names)))
	}
	return out
}

func exported(queue string, n int) string {
	return fmt.Sprintf("queue %s is exported now; what it holds, %s, is for other machines from here on",
		queue, figure.Count(n, "batch"))
}
