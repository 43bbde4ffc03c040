package view

import (
	"maps"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Status describes a crawl as a whole.
type Status struct {
	Dir   string `json:"dir"`
	Begun bool   `json:"begun"` // false if the crawl never started

	Manager *workdir.Held `json:"manager"` // null if no manager runs

	Notice string   `json:"notice,omitempty"`  // why the status does not use the script's file
	Cut    []uint64 `json:"cut_off,omitempty"` // transactions that the next start rolls back
	Ended  uint64   `json:"transactions"`      // the number of transactions that have ended since the crawl began
	Left   float64  `json:"left_seconds"`      // the least time for the records that wait now; 0 if unknown
	Stages []Stage  `json:"stages"`
	Queues []Queue  `json:"queues"`
	Asides []Aside  `json:"set_aside"`

	// The reasons why records were dropped, the most frequent first.
	Because []progress.Reason `json:"because"`

	Foreign []string `json:"foreign"` // files in queues that are not in the log

	now time.Time
}

// A Stage is the state of a stage of the script.
type Stage struct {
	Name     string           `json:"name"`
	State    string           `json:"state"`          // running, waiting, held, resting, idle
	Why      string           `json:"why,omitempty"`  // why it is not started now
	Until    time.Time        `json:"until,omitzero"` // when the stage can start without any other event
	Running  []UnderWay       `json:"running"`        //
	Ready    int              `json:"ready"`          // batches
	Held     int              `json:"held"`           // batches that are not due yet
	Aside    int              `json:"aside"`          // batches set aside
	Waiting  int64            `json:"waiting"`        // records in the ready and held batches
	Unknown  int              `json:"uncounted"`      // the number of these batches whose records are unknown
	Pace     float64          `json:"per_second"`     // records read in the last time; 0 if no manager runs
	Left     float64          `json:"left_seconds"`   // the time for the waiting records at that pace
	Runs     int64            `json:"runs"`           // committed runs
	Failures int64            `json:"failures"`       // failed runs, without those that were stopped or put off
	Records  int64            `json:"records"`        // records read by its committed runs
	CPU      float64          `json:"cpu_seconds"`    // of all its runs
	Memory   int64            `json:"peak_memory"`    // bytes, of the largest process
	Reasons  map[string]int64 `json:"reasons"`        // records dropped here
	Counts   map[string]int64 `json:"counts"`         // the stage's own: sums, and the last gauges
}

// An UnderWay is a run of a manager that is alive.
type UnderWay struct {
	Tx     uint64    `json:"tx"`
	Pid    int       `json:"pid,omitempty"`
	Start  time.Time `json:"start"`
	Inputs int       `json:"inputs"`
}

// A Queue is a queue of the script, or one that is only in the log.
type Queue struct {
	Name    string    `json:"name"`
	Kind    string    `json:"kind,omitempty"` // kept, export, product, "gone" from the script, or ""
	Batches int       `json:"batches"`        // batches in the folder
	Bytes   int64     `json:"bytes"`
	Owed    int       `json:"owed"`  // batches that are owed and due, which full limits
	Held    int       `json:"held"`  // owed batches that are not due for any reader
	Aside   int       `json:"aside"` // set aside by some reader
	Full    string    `json:"full,omitempty"`
	Fill    float64   `json:"-"`               // how near it is to Full: 1 is full; for pictures
	Oldest  time.Time `json:"oldest,omitzero"` // when the oldest batch in the folder was committed
	Next    time.Time `json:"next_due,omitzero"`
	Ever    Total     `json:"ever"`
}

// A Total counts what was ever committed to a queue.
type Total struct {
	Batches int64 `json:"batches"`
	Records int64 `json:"records"`
	Bytes   int64 `json:"bytes"`
	Brought int64 `json:"brought"` // the number of batches that no stage made
}

// Status summarizes the crawl. It says why batches were set aside so far as failures knows it,
// which may be nil.
func (c *Crawl) Status(failures *AsideRuns) (s *Status, err error) {
	s = c.Figures()
	s.Asides = c.asides(failures)
	s.Foreign, err = c.Foreign()
	return s, err
}

// Figures returns the status as far as it needs no file: without Asides and Foreign.
func (c *Crawl) Figures() *Status {
	s := &Status{Dir: c.Root, Begun: c.Begun, Manager: c.Holder, Notice: c.Notice,
		Ended: c.State.Seq(), Because: progress.Reasons(c.State), now: c.Now}
	for _, r := range c.Runs {
		if c.Holder == nil {
			s.Cut = append(s.Cut, r.Tx)
		}
	}
	for _, st := range c.Script.Stages {
		s.Stages = append(s.Stages, c.stage(st))
		s.Left = max(s.Left, s.Stages[len(s.Stages)-1].Left)
	}
	s.Queues = c.Queues()
	return s
}

// running returns the runs of a stage that are in progress.
func (c *Crawl) running(stage string) []UnderWay {
	out := []UnderWay{}
	for _, r := range c.underWay() {
		if r.Stage == stage {
			out = append(out, UnderWay{r.Tx, r.Pid, r.Start, len(r.Inputs)})
		}
	}
	return out
}

func (c *Crawl) stage(st *script.Stage) Stage {
	m := c.State.Stage(st.Name)
	out := Stage{Name: st.Name, Running: c.running(st.Name), Runs: m.Commits, Failures: m.Aborts, Records: m.Records,
		CPU: m.CPU.Seconds(), Memory: m.Memory, Reasons: map[string]int64{}, Counts: map[string]int64{}} // never null
	maps.Copy(out.Reasons, m.Reasons)
	maps.Copy(out.Counts, m.Counts)
	w := c.table.Waiting(st.Name)
	out.Ready, out.Held, out.Aside, out.Waiting, out.Unknown = w.Ready, w.Held, w.Aside, w.Records, w.Uncounted
	if c.Holder != nil && c.pace != nil {
		out.Pace = c.pace.Rate(st.Name, c.Now)
		out.Left = c.pace.Left(st.Name, out.Waiting, c.Now).Seconds()
	}
	clocked := len(st.In) == 0
	switch {
	case len(out.Running) > 0:
		out.State = "running"
		return out
	case m.Rest.After(c.Now):
		out.State, out.Until = "resting", m.Rest
		out.Why = "rests after " + figure.Count(m.Row, "failure") + " in a row (manager retry ends that)"
		return out
	case out.Ready > 0, clocked:
		out.State = "waiting"
	case out.Held > 0:
		out.State = "held"
	default:
		out.State = "idle"
		return out
	}
	out.Why, out.Until = c.table.Hindrance(st.Name, c.env)
	return out
}

// Queues describes the queues of the script, and those that are only in the log.
func (c *Crawl) Queues() []Queue {
	var out []Queue
	at := map[string]int{}
	for i, name := range c.QueueNames() {
		at[name] = i
		out = append(out, c.queue(name))
	}
	for _, b := range c.State.Batches() {
		out[at[b.Name.Queue()]].count(c, b)
	}
	return out
}

func (c *Crawl) queue(name string) Queue {
	q := Queue{Name: name, Kind: "gone", Owed: c.table.Owed(name), Fill: c.table.Fill(name), Ever: Total(c.State.Queue(name))}
	s := c.Script.Queue(name)
	switch {
	case s == nil:
		return q
	case s.Export:
		q.Kind = "export"
	case len(s.Readers) == 0:
		q.Kind = "product"
	case s.Keep:
		q.Kind = "kept"
	default:
		q.Kind = ""
	}
	switch {
	case s.Full.Batches > 0:
		q.Full = figure.Count(s.Full.Batches, "batch")
	case s.Full.Bytes > 0:
		q.Full = figure.Bytes(s.Full.Bytes)
	}
	return q
}

// count adds one live batch to its queue's figures.
func (q *Queue) count(c *Crawl, b *txlog.Batch) {
	q.Batches++
	q.Bytes += b.Size
	if q.Oldest.IsZero() || b.Since.Before(q.Oldest) {
		q.Oldest = b.Since
	}
	due, held, aside := false, false, false
	for _, o := range c.owing(b) {
		due = due || o.How == howReady || o.How == howTaken
		aside = aside || o.How == howAside
		if held = held || o.How == howHeld; o.How == howHeld && (q.Next.IsZero() || o.Until.Before(q.Next)) {
			q.Next = o.Until
		}
	}
	if held && !due {
		q.Held++
	}
	if aside {
		q.Aside++
	}
}
