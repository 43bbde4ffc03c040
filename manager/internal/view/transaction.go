package view

import (
	"fmt"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
	"multitext/txlog"
)

// A Transaction is everything known about one transaction: a run, seeds that were added, or a
// request.
type Transaction struct {
	Tx      uint64    `json:"tx"`
	Result  string    `json:"result"`          // one of the constants below
	Stage   string    `json:"stage,omitempty"` // "" if no stage ran
	What    string    `json:"what"`            // in a few words
	Why     string    `json:"why,omitempty"`   // for an abort
	Start   time.Time `json:"start"`
	End     time.Time `json:"end,omitzero"`
	CPU     float64   `json:"cpu_seconds"`
	Memory  int64     `json:"peak_memory"` // bytes, of the largest process
	Exit    string    `json:"exit,omitempty"`
	Command []string  `json:"command,omitempty"` // "{in}" stands for the inputs
	Pid     int       `json:"pid,omitempty"`     // only while it runs

	Inputs   []Input         `json:"inputs"`
	Read     *int64          `json:"read"` // the number of records read, according to the report
	Outputs  []Output        `json:"outputs"`
	State    string          `json:"state,omitempty"` // the state that it writes
	Segments []Output        `json:"segments,omitempty"`
	Replaced []txlog.Name    `json:"replaced,omitempty"` // segments
	Reasons  []txlog.Count   `json:"reasons,omitempty"`
	Counts   []txlog.Count   `json:"counts,omitempty"`
	Gauges   []txlog.Count   `json:"gauges,omitempty"`
	Because  []txlog.Because `json:"because,omitempty"`
	Notes    []string        `json:"notes,omitempty"`
	Shown    []txlog.Shown   `json:"shown,omitempty"` // files that the script shows to it

	Seed    string       `json:"seed,omitempty"`
	Request string       `json:"request,omitempty"`
	Reset   []txlog.Mark `json:"reset,omitempty"`  // what it put back; without a batch: the stage itself
	Forgot  []string     `json:"forgot,omitempty"` // deleted by the request, as "KIND NAME"
	Gone    []txlog.Name `json:"gone,omitempty"`   // batches that the request removed

	Marks  []txlog.Mark `json:"marks,omitempty"` // marks of a failure on its inputs
	Rest   time.Time    `json:"stage_rests_until,omitzero"`
	Stderr string       `json:"stderr,omitempty"` // the last part of it

	root, folder string // folders of the crawl and of its script, for Print
}

// Results of transactions.
const (
	resultCommit  = "commit"
	resultAbort   = "abort"
	resultRunning = "running"
	resultCutOff  = "cut-off" // its manager ended before it; the next start rolls it back
)

// An Input is a batch that a run read.
type Input struct {
	Name    string `json:"name"`
	Records *int64 `json:"records"`
	Gone    bool   `json:"gone"` // every reader has read it
}

// An Output is a file that a run wrote.
type Output struct {
	Name    string    `json:"name"`
	Bytes   int64     `json:"bytes"`
	Hash    string    `json:"xxh64,omitempty"`
	Records *int64    `json:"records"`
	Made    bool      `json:"made,omitempty"` // its records have another unit than the input's
	Export  bool      `json:"export,omitempty"`
	Due     time.Time `json:"due,omitzero"`
	Latest  bool      `json:"latest,omitzero"` // it is due sooner where nothing else can run
}

// FromRecord describes a transaction that has ended.
func FromRecord(r txlog.Record) *Transaction {
	switch r := r.(type) {
	case *txlog.Commit:
		return fromCommit(r)
	case *txlog.Abort:
		return fromAbort(r)
	}
	return nil
}

func fromCommit(c *txlog.Commit) *Transaction {
	t := &Transaction{Tx: c.Tx, Result: resultCommit, Stage: c.Stage, Read: counted(c.Read), State: c.State,
		Reasons: c.Reasons, Counts: c.Counts, Gauges: c.Gauges, Because: c.Because, Replaced: c.Replaced, Gone: c.Gone,
		Notes: c.Notes, Seed: c.Seed, Request: c.Request, Reset: c.Reset}
	t.ran(&c.Run)
	t.Inputs = inputs(c.Inputs)
	t.Outputs, t.Segments = outputs(c.Outputs), outputs(c.Segments)
	for _, f := range c.Forget {
		t.Forgot = append(t.Forgot, f.Kind+" "+f.Name)
	}
	t.What = progress.Story(c)
	switch {
	case c.Seed != "":
		t.What = "seeds: " + t.What
	case c.Request != "":
		t.What = "request: " + Answer(c)
	case c.Export != "":
		t.What = strings.Join(c.Notes, "; ")
	case c.Stage == "" && len(c.Notes) > 0 && len(c.Outputs) == 0:
		t.What = c.Notes[0]
	case c.Part.Name != "":
		t.Request = c.Part.Name
		t.What = "request, in part: " + Answer(c)
	}
	return t
}

// Answer returns a short description of what a request did.
func Answer(c *txlog.Commit) string {
	switch {
	case len(c.Outputs) > 0:
		return fmt.Sprintf("%s added to %s", figure.Count(len(c.Outputs), "batch"), c.Outputs[0].Name.Queue())
	case len(c.Forget) > 0:
		var names []string
		for _, f := range c.Forget {
			names = append(names, f.Kind+" "+f.Name)
		}
		text := "forgot " + strings.Join(names, " and ")
		if n := len(c.Gone); n > 0 {
			text += "; " + figure.Count(n, "batch") + " deleted with it"
		}
		return text
	case len(c.Gone) > 0:
		return figure.Count(len(c.Gone), "batch") + " dropped"
	case len(c.Notes) > 0:
		return strings.Join(c.Notes, "; ")
	}
	return putBack(c.Reset)
}

// putBack returns a description of what a retry did.
func putBack(reset []txlog.Mark) string {
	batches, stages := 0, []string{}
	for _, m := range reset {
		if m.Name != "" {
			batches++
		} else {
			stages = append(stages, m.Stage)
		}
	}
	text := figure.Count(batches, "batch") + " put back"
	if len(stages) > 0 {
		text += "; " + strings.Join(stages, " and ") + " may start at once, with all tries"
	}
	return text
}

func fromAbort(a *txlog.Abort) *Transaction {
	t := &Transaction{Tx: a.Tx, Result: resultAbort, Stage: a.Stage, What: a.Why, Why: a.Why,
		Inputs: inputs(a.Inputs), Outputs: []Output{}, Marks: a.Marks, Rest: a.Rest}
	t.ran(&a.Run)
	return t
}

func (t *Transaction) ran(r *txlog.Run) {
	t.Start, t.End, t.CPU, t.Memory = r.Start, r.End, r.CPU.Seconds(), r.Memory
	t.Exit, t.Command, t.Stderr, t.Shown = r.Exit, r.Command, r.Stderr, r.Shown
}

func inputs(in []txlog.Input) []Input {
	out := []Input{}
	for _, i := range in {
		out = append(out, Input{string(i.Name), counted(i.Records), i.Gone})
	}
	return out
}

func outputs(files []txlog.Output) []Output {
	out := []Output{}
	for _, o := range files {
		out = append(out, Output{string(o.Name), o.Size, o.Hash, counted(o.Records), o.Made, o.Export, o.Due, o.Latest})
	}
	return out
}
