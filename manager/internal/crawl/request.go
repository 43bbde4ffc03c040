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

// A Request is what a writing verb asks of the holder of the crawl. It is stored in
// inbox/ID/request as JSON. The files of an "add" are stored in the same folder.
type Request struct {
	Verb    string       `json:"verb"`             // add, retry, drop, forget
	Name    string       `json:"name,omitzero"`    // the queue, the stage ("" all), or what to forget
	ID      string       `json:"-"`                // id of an add that the caller chose; "" for a random one
	Files   []string     `json:"files,omitzero"`   // of an add: the caller's files, or those in the inbox
	Hashes  []string     `json:"hashes,omitzero"`  // of these, in a request that was left, or as far as they are known
	Batches []txlog.Name `json:"batches,omitzero"` // for a drop
	Why     string       `json:"why,omitzero"`     // for a drop: a reason for people
}

// Sensible returns an error if a request is invalid.
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

// Unknown returns an error about a name that is not among names, with a suggestion.
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

// droppable returns an error if batches cannot be dropped one by one.
func droppable(state *txlog.State, batches []txlog.Name) error {
	if len(batches) == 0 {
		return fmt.Errorf("no batch is named")
	}
	named := map[txlog.Name]bool{}
	for _, name := range batches {
		if _, live := state.Live(name); !live {
			return fmt.Errorf("the crawl has no batch %s; manager ls lists them", name)
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
	return fmt.Errorf("the crawl has nothing with the name %s", name)
}

// former returns what the crawl still has under a name that the script does not name any more: a
// stage, what a stage has yet to read in queues that it does not read any more, a state, or a
// queue.
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

// ceased reports whether a stage read a queue in the last run but not in this script.
func ceased(s *script.Script, state *txlog.State, queue, stage string) bool {
	st := s.Stage(stage)
	return state.Reads(queue, stage) && (st == nil || !slices.Contains(st.In, queue))
}

// forgetting adds what is removed together with a forgotten thing: the batches of a queue, or the
// batches that no reader has yet to read once a reader is gone.
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

// owedByNobodyBut reports whether a former reader is the only one that has yet to read a batch. It
// checks the present readers and the other former readers, which are forgotten one by one.
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

// marked lists the marks of a stage (or of every stage) on batches. It also lists each stage that
// has failed or rests and has no marks, without a batch.
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
