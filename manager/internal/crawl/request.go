package crawl

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"multitext/script"
	"multitext/txlog"
)

// A Request is what a writing verb asks of whoever holds the crawl. It lies in
// inbox/ID/request as JSON; the files of an "add" lie beside it.
type Request struct {
	Verb    string       `json:"verb"`             // add, retry, drop, forget
	Name    string       `json:"name,omitzero"`    // the queue, the stage ("" all), or what to forget
	ID      string       `json:"-"`                // of an add, as the caller wants it; "" for one that is drawn
	Files   []string     `json:"files,omitzero"`   // of an add: the caller's, or those of the inbox once it is left
	Hashes  []string     `json:"hashes,omitzero"`  // of these, in a request that was left, or as far as they are known
	Batches []txlog.Name `json:"batches,omitzero"` // of a drop
	Why     string       `json:"why,omitzero"`     // of a drop: for people
}

// Sensible says why a request makes no sense; nil if it does.
func Sensible(s *script.Script, state *txlog.State, q Request) error {
	switch q.Verb {
	case "add":
		if queue := s.Queue(q.Name); queue == nil {
			return Unknown("queue", q.Name, s.QueueNames())
		} else if queue.Export {
			return fmt.Errorf("queue %s is for other machines; nothing here would read a batch in it", q.Name)
		}
	case "retry":
		if q.Name != "" && s.Stage(q.Name) == nil {
			return Unknown("stage", q.Name, s.StageNames())
		}
	case "drop":
		return droppable(state, q.Batches)
	case "forget":
		return forgettable(s, state, q.Name)
	default:
		return fmt.Errorf("there is no request %q", q.Verb)
	}
	return nil
}

// Unknown refuses a name that is not among those there are, and says which may be meant.
func Unknown(kind, name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no %s %q, nor any other", kind, name)
	}
	there := "there are: " + strings.Join(names, ", ")
	if hint := script.DidYouMean(name, names); hint != "" {
		there = hint + " T" + there[1:]
	}
	return fmt.Errorf("there is no %s %q; %s", kind, name, there)
}

// droppable says why batches cannot be let go of one by one.
func droppable(state *txlog.State, batches []txlog.Name) error {
	if len(batches) == 0 {
		return fmt.Errorf("no batch is named")
	}
	named := map[txlog.Name]bool{}
	for _, name := range batches {
		if _, live := state.Live(name); !live {
			return fmt.Errorf("the crawl holds no batch %s; manager ls lists them", name)
		}
		if named[name] {
			return fmt.Errorf("%s is named twice", name)
		}
		named[name] = true
	}
	return nil
}

func forgettable(s *script.Script, state *txlog.State, name string) error {
	if len(former(s, state, name)) > 0 {
		return nil
	}
	if s.Stage(name) != nil || s.Queue(name) != nil {
		return fmt.Errorf("%s is in the script; take it out first, then forget it", name)
	}
	return fmt.Errorf("the crawl holds nothing by the name of %s", name)
}

// former tells what by that name the crawl still holds and the script does not
// name any more: a stage, what a stage owes of queues that it has ceased to read,
// a state, a queue.
func former(s *script.Script, state *txlog.State, name string) (out []txlog.Forgotten) {
	if s.Stage(name) == nil {
		if slices.Contains(state.Stages(), name) || owedByFormer(s, state)[name] != "" {
			out = append(out, txlog.Forgotten{Kind: "stage", Name: name})
		}
	} else {
		for _, r := range state.Readings() {
			if r.Stage == name && ceased(s, state, r.Queue, name) {
				out = append(out, txlog.Forgotten{Kind: "reader", Name: r.Queue + "/" + name})
			}
		}
	}
	if len(state.Segments(name)) > 0 && s.Owner(name) == nil {
		out = append(out, txlog.Forgotten{Kind: "state", Name: name})
	}
	if s.Queue(name) == nil && slices.Contains(state.Queues(), name) {
		out = append(out, txlog.Forgotten{Kind: "queue", Name: name})
	}
	return out
}

// ceased reports whether a stage read a queue in the last run and does not in
// this script.
func ceased(s *script.Script, state *txlog.State, queue, stage string) bool {
	st := s.Stage(stage)
	return state.Reads(queue, stage) && (st == nil || !slices.Contains(st.In, queue))
}

// forgetting fills in what goes with the thing forgotten: the batches of a
// queue, or those that nobody owes once a reader is gone.
func (st *Store) forgetting(rec *txlog.Commit, name string) {
	state := st.Log.State
	rec.Forget = former(st.Script, state, name)
	for file, b := range state.Batches() {
		queue := file.Queue()
		if st.Script.Queue(queue) == nil && queue == name || st.owedByNobodyBut(name, b) {
			rec.Gone = append(rec.Gone, file)
		}
	}
	slices.Sort(rec.Gone)
}

// owedByNobodyBut reports whether a former reader is the last to owe a batch: no
// reader of today does, nor another former one, which is let go of by itself.
func (st *Store) owedByNobodyBut(stage string, b *txlog.Batch) bool {
	state, queue := st.Log.State, b.Name.Queue()
	q := st.Script.Queue(queue)
	if q == nil || !ceased(st.Script, state, queue, stage) || Owed(q, b, stage) {
		return false
	}
	for _, r := range state.Readings() {
		if r.Queue == queue && r.Stage != stage && !b.HasRead(r.Stage) {
			return false
		}
	}
	return true
}

// marked lists the marks that a stage (or every stage) has against batches, and,
// without a batch, each stage that has failed or rests and has none.
func marked(state *txlog.State, stage string, now time.Time) []txlog.Mark {
	var out []txlog.Mark
	has := map[string]bool{}
	for _, b := range state.Batches() {
		for name, m := range b.Marks {
			if stage == "" || stage == name {
				out = append(out, *m)
				has[name] = true
			}
		}
	}
	for _, name := range state.Stages() {
		st := state.Stage(name)
		if (stage == "" || stage == name) && !has[name] && (st.Row > 0 || st.Rest.After(now)) {
			out = append(out, txlog.Mark{Stage: name})
		}
	}
	slices.SortFunc(out, func(a, b txlog.Mark) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Stage, b.Stage))
	})
	return out
}
