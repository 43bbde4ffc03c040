package view

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

// A Batch is a live batch, with the readers of its queue.
type Batch struct {
	Name    string    `json:"name"` // relative to the crawl's directory
	Queue   string    `json:"queue"`
	Path    string    `json:"path"` // absolute
	Bytes   int64     `json:"bytes"`
	Hash    string    `json:"xxh64"`
	Records *int64    `json:"records"`
	Since   time.Time `json:"since"`
	Due     time.Time `json:"due,omitzero"`
	Latest  bool      `json:"latest,omitzero"` // it is due sooner where nothing else can run
	Read    []string  `json:"read"`            // the stages that have read it
	Owes    []Owing   `json:"owes"`            // the stages that have not read it

	now time.Time
}

// An Owing is a stage that has yet to read a batch.
type Owing struct {
	Stage    string    `json:"stage"`
	How      string    `json:"how"` // one of the constants below
	Until    time.Time `json:"until,omitzero"`
	Failures int       `json:"failures,omitempty"`
	Laters   int       `json:"laters,omitempty"` // how often in a row it said "try later"
	Alone    bool      `json:"alone,omitempty"`  // it will be run without other inputs
}

// The state of a batch for a stage that owes it.
const (
	howReady = "ready"
	howTaken = "running"
	howHeld  = "held"
	howAside = "aside"
)

// Batches are live batches.
type Batches []Batch

// Batches returns the live batches of some queues, sorted by queue and name.
func (c *Crawl) Batches(queues []string) Batches {
	out := Batches{}
	for _, queue := range queues {
		begin := len(out)
		for name, b := range c.State.Batches() {
			if name.Queue() == queue {
				out = append(out, c.batch(b))
			}
		}
		slices.SortFunc(out[begin:], func(a, b Batch) int { return strings.Compare(a.Name, b.Name) })
	}
	return out
}

// Print writes the batches as a table.
func (l Batches) Print(w io.Writer) {
	t := terminal.NewTable(w, "BATCH", "BYTES", "RECORDS", "AGE", "DUE", "READ BY", "OWED BY")
	for _, b := range l {
		var owes []string
		for _, o := range b.Owes {
			owes = append(owes, o.Text(b.now))
		}
		t.Row(terminal.Near(b.Path), figure.Bytes(b.Bytes), figure.Known(b.Records), figure.Age(b.Since, b.now),
			figure.Until(b.Due, b.now), cmp.Or(strings.Join(b.Read, ", "), "-"), cmp.Or(strings.Join(owes, ", "), "-"))
	}
	t.Flush()
}

// Text returns a cell of the table of ls.
func (o Owing) Text(now time.Time) string {
	var more []string
	switch o.How {
	case howHeld:
		more = append(more, "held until "+figure.Until(o.Until, now))
	case howAside:
		more = append(more, "set aside")
	case howTaken:
		more = append(more, "running")
	}
	if o.Failures > 0 {
		more = append(more, figure.Count(o.Failures, "failure"))
	}
	if o.Laters > 0 {
		more = append(more, fmt.Sprintf("%d times later", o.Laters))
	}
	if o.Alone {
		more = append(more, "to be run alone")
	}
	if more == nil {
		return o.Stage
	}
	return o.Stage + " (" + strings.Join(more, ", ") + ")"
}

// Batch describes a live batch. ok is false if there is no live batch of this name.
func (c *Crawl) Batch(name txlog.Name) (b Batch, ok bool) {
	if live := c.State.Batch(name); live != nil {
		return c.batch(live), true
	}
	return Batch{}, false
}

func (c *Crawl) batch(b *txlog.Batch) Batch {
	return Batch{
		Name: string(b.Name), Queue: b.Name.Queue(), Path: filepath.Join(c.Root, string(b.Name)),
		Bytes: b.Size, Hash: b.Hash, Records: counted(b.Records), Since: b.Since, Due: b.Due, Latest: b.Latest,
		Read: append([]string{}, b.Read...), Owes: c.owing(b), now: c.Now,
	}
}

// owing returns the readers that have not read a batch.
func (c *Crawl) owing(b *txlog.Batch) []Owing {
	out := []Owing{}
	q := c.Script.Queue(b.Name.Queue())
	if q == nil {
		return out
	}
	for _, reader := range q.Readers {
		if b.HasRead(reader.Name) {
			continue
		}
		m := b.Mark(reader.Name)
		o := Owing{Stage: reader.Name, How: howReady, Failures: m.Fails, Laters: m.Laters, Alone: m.Alone}
		until := m.Until
		if b.Due.After(until) {
			until = b.Due
		}
		switch {
		case m.Aside:
			o.How = howAside
		case c.taken[reading{b.Name, reader.Name}]:
			o.How = howTaken
		case until.After(c.Now):
			o.How, o.Until = howHeld, until
		}
		out = append(out, o)
	}
	return out
}

// counted returns n, or nil if the number is unknown.
func counted(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}

// BatchName returns the name of a batch. It accepts a name, as log prints it, or a path, as ls
// prints it.
func BatchName(root, arg string) (txlog.Name, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, abs); err == nil && !strings.HasPrefix(rel, "..") {
		return txlog.Name(rel), nil
	}
	return txlog.Name(arg), nil
}
