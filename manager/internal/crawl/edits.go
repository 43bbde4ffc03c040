package crawl

import (
	"fmt"
	"slices"
	"strings"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// FitsScript refuses a script that no longer names what the crawl still holds: a reader that owes
// batches, a queue with batches, a state with segments. It also refuses one in which a stage with
// a new name would read again what is kept. Only the verb forget removes such things.
func FitsScript(s *script.Script, state *txlog.State, forget string) error {
	var why []string
	holds := func(name, format string, args ...any) {
		why = append(why, fmt.Sprintf(format, args...)+
			fmt.Sprintf("\n  put it back into the script, or let go of it: %s %s", forget, name))
	}
	for stage, owed := range owedByFormer(s, state) {
		holds(stage, "stage %s is not in the script as a reader any more and still owes %s "+
			"(another stage that reads the queue keeps its own)\n"+
			"  if it has another name now, say so in its table there: was = %q", stage, owed, stage)
	}
	for k, n := range anew(s, state) {
		why = append(why, fmt.Sprintf("stage %[1]s is new as a reader of %[2]s and would read %[3]s again "+
			"that stage %[4]s has read, which is not in the script any more\n"+
			"  if it is the same stage, say so in [stage.%[1]s]: was = %[4]q; "+
			"if it is another one, let go of the old one: %[5]s %[4]s",
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

// owedByFormer tells, for each stage that read a queue in the last run and does
// not in this script, what it still owes.
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

// A reread is what a new reader of a queue would read after a former one. They may be the same
// stage by a new name.
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

// readersOf tells who reads what in a script.
func readersOf(s *script.Script) []txlog.Reading {
	readers := []txlog.Reading{}
	for _, q := range s.Queues {
		for _, r := range q.Readers {
			readers = append(readers, txlog.Reading{Queue: q.Name, Stage: r.Name})
		}
	}
	return readers
}

// IsProduct reports whether the batches of a queue stay.
func IsProduct(q *script.Queue) bool { return q.Keep || len(q.Readers) == 0 }

// Owed reports whether a reader other than the given one still has to read the
// batch, or the queue keeps what was read.
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
