package crawl

import (
	"fmt"
	"slices"
	"strings"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// FitsScript returns an error if the script does not name something that the crawl still contains:
// a reader that has batches to read, a queue with batches, or a state with segments. It also
// returns an error if a stage with a new name would read kept batches again. Only the verb forget
// removes such things.
func FitsScript(s *script.Script, state *txlog.State, forget string) error {
	var why []string
	holds := func(name, format string, args ...any) {
		why = append(why, fmt.Sprintf(format, args...)+
			fmt.Sprintf("\n  put it back into the script, or forget it: %s %s", forget, name))
	}
	for stage, owed := range owedByFormer(s, state) {
		holds(stage, "stage %s is not in the script as a reader any more and has not read %s "+
			"(another stage that reads the queue keeps its own)\n"+
			"  if it has a new name, write this in its table: was = %q", stage, owed, stage)
	}
	for k, n := range anew(s, state) {
		why = append(why, fmt.Sprintf("stage %[1]s is new as a reader of %[2]s and would read %[3]s again "+
			"that stage %[4]s has read, which is not in the script any more\n"+
			"  if it is the same stage, write in [stage.%[1]s]: was = %[4]q; "+
			"if it is another one, forget the old one: %[5]s %[4]s",
			k.stage, k.queue, figure.Count(n, "batch"), k.former, forget))
	}
	counts := map[string]int{}
	for name := range state.Batches() {
		counts[name.Queue()]++
	}
	for queue, n := range counts {
		if s.Queue(queue) == nil {
			holds(queue, "queue %s is not in the script any more and holds %s", queue, figure.Count(n, "batch"))
		}
	}
	for _, name := range state.States() {
		if s.Owner(name) == nil {
			holds(name, "state %s is not in the script any more and holds %s",
				name, figure.Count(len(state.Segments(name)), "segment"))
		}
	}
	slices.Sort(why)
	if len(why) > 0 {
		return badUsage("%s", strings.Join(why, "\n"))
	}
	return nil
}

// owedByFormer lists the stages that read a queue in the last run but not in this script, each with
// the batches that it has yet to read.
func owedByFormer(s *script.Script, state *txlog.State) map[string]string {
	out := map[string]string{}
	for _, r := range state.Readings() {
		if st := s.Heir(r.Stage); st != nil && slices.Contains(st.In, r.Queue) {
			continue
		}
		n := 0
		for _, name := range inQueue(state, r.Queue) {
			if !state.Batch(name).HasRead(r.Stage) {
				n++
			}
		}
		if n > 0 {
			if out[r.Stage] != "" {
				out[r.Stage] += " and "
			}
			out[r.Stage] += fmt.Sprintf("%s of %s", figure.Count(n, "batch"), r.Queue)
		}
	}
	return out
}

// A reread is the set of batches that a new reader of a queue would read after a former reader. The
// two may be the same stage under a new name.
type reread struct{ stage, queue, former string }

// anew counts the batches of each reread.
func anew(s *script.Script, state *txlog.State) map[reread]int {
	counts := map[reread]int{}
	for name, b := range state.Batches() {
		q := s.Queue(name.Queue())
		if q == nil || len(b.Read) == 0 {
			continue
		}
		for _, r := range q.Readers {
			if state.Reads(q.Name, r.Name) || b.HasRead(r.Name) {
				continue
			}
			for _, former := range b.Read {
				if s.Heir(former) == nil {
					counts[reread{r.Name, q.Name, former}]++
				}
			}
		}
	}
	return counts
}

// readersOf returns the readers of each queue in a script.
func readersOf(s *script.Script) []txlog.Reading {
	readers := []txlog.Reading{}
	for _, q := range s.Queues {
		for _, r := range q.Readers {
			readers = append(readers, txlog.Reading{Queue: q.Name, Stage: r.Name})
		}
	}
	return readers
}

// IsProduct reports whether the batches of a queue are products of the crawl.
func IsProduct(q *script.Queue) bool { return q.Keep || len(q.Readers) == 0 }

// Owed reports whether a reader other than the given one has yet to read the batch, or whether the
// queue keeps its batches.
func Owed(q *script.Queue, b *txlog.Batch, done string) bool {
	if IsProduct(q) {
		return true
	}
	for _, r := range q.Readers {
		if r.Name != done && !b.HasRead(r.Name) {
			return true
		}
	}
	return false
}
