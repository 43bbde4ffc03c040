package crawl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// FitsScript refuses a script that no longer names what the crawl still holds:
// a reader that owes batches, a queue with batches, a state with segments.
// Nothing of that is ever deleted unasked; forget is the command that does it.
func FitsScript(s *script.Script, state *txlog.State, forget string) error {
	var why []string
	refuse := func(name, format string, args ...any) {
		why = append(why, fmt.Sprintf(format, args...)+
			fmt.Sprintf("\n  put it back into the script, or let go of it: %s %s", forget, name))
	}
	for stage, owed := range owedByFormer(s, state) {
		refuse(stage, "stage %s is not in the script as a reader any more and still owes %s (another stage that reads the queue keeps its own)", stage, owed)
	}
	counts := map[string]int{}
	for name := range state.Batches {
		counts[name.Queue()]++
	}
	for _, queue := range slices.Sorted(maps.Keys(counts)) {
		if s.Queue(queue) == nil {
			refuse(queue, "queue %s is not in the script any more and holds %s", queue, figure.Count(counts[queue], "batch"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(state.Segments)) {
		if len(state.Segments[name]) > 0 && !slices.ContainsFunc(s.Stages, func(st *script.Stage) bool { return st.State == name }) {
			refuse(name, "state %s is not in the script any more and holds %s", name, figure.Count(len(state.Segments[name]), "segment"))
		}
	}
	slices.Sort(why)
	if len(why) > 0 {
		return &Refusal{why}
	}
	return nil
}

// owedByFormer tells, for each stage that read a queue in the last run and does
// not in this script, what it still owes.
func owedByFormer(s *script.Script, state *txlog.State) map[string]string {
	out := map[string]string{}
	for queue, readers := range state.Readers {
		for stage := range readers {
			if st := s.Stage(stage); st != nil && slices.Contains(st.In, queue) {
				continue
			}
			n := 0
			for name, b := range state.Batches {
				if name.Queue() == queue && !b.HasRead(stage) {
					n++
				}
			}
			if n > 0 {
				out[stage] = strings.TrimPrefix(out[stage]+fmt.Sprintf(" and %s of %s", figure.Count(n, "batch"), queue), " and ")
			}
		}
	}
	return out
}

// rememberReaders notes who reads what in this run, for the next one to hold
// its script against.
func rememberReaders(s *script.Script, state *txlog.State) {
	state.Readers = map[string]map[string]bool{}
	for _, q := range s.Queues {
		for _, r := range q.Readers {
			if state.Readers[q.Name] == nil {
				state.Readers[q.Name] = map[string]bool{}
			}
			state.Readers[q.Name][r.Name] = true
		}
	}
}

// owed reports whether a reader other than the given one still has to read the
// batch, or the queue keeps what was read.
func owed(q *script.Queue, b *txlog.Batch, done string) bool {
	if q.Keep || len(q.Readers) == 0 {
		return true
	}
	for _, r := range q.Readers {
		if r.Name != done && !b.HasRead(r.Name) {
			return true
		}
	}
	return false
}
