// Package view reads a crawl for the verbs that only look: its log, the runs under way, and the
// script of its last start.
//
// It takes no lock and writes nothing, so it works beside a running manager and in every state that
// a crash can leave. It sees a prefix of the log: a line that is not whole counts as not yet
// written. It looks at files and runs after the log, in such an order that a running manager cannot
// make them contradict each other.
//
// The verbs print its types with -json. Their keys are stable. Times are UTC, sizes bytes, and what
// nobody counted is null.
package view

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"multitext/manager/internal/pace"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Crawl is what was seen at one moment.
type Crawl struct {
	Script *script.Script // of the last start; that of the file where there was none
	Notice string         // why Script is not what the file says; "" where it is
	Root   string         // absolute path of the crawl's directory
	Begun  bool           // there is a log
	State  *txlog.State
	Holder *workdir.Held // the manager that holds the crawl; nil if none does
	Runs   []Run         // by number
	Now    time.Time

	pace  *pace.Pace // nil where nothing has ended since the last checkpoint
	table *sched.Table
	env   sched.Environment
	taken map[reading]bool // inputs of runs under way
}

// A Run is a transaction with a directory under work/ whose end is not in the
// log. Where no manager holds the crawl it was cut off.
type Run struct {
	Tx uint64
	workdir.RunFile
}

// Open looks at the crawl of a script. The error is a *txlog.Damage, or wraps what reading
// returned.
func Open(s *script.Script, now time.Time) (*Crawl, error) {
	c := &Crawl{Script: s, Root: s.Dir, Now: now}
	ended, err := c.load()
	if err != nil {
		return nil, err
	}
	if c.Begun {
		c.useStored()
	}
	runs := workdir.Runs(c.Root)
	c.Holder = workdir.Holder(c.Root)
	for _, tx := range slices.Sorted(maps.Keys(runs)) {
		if !ended[tx] {
			c.Runs = append(c.Runs, Run{tx, runs[tx]})
		}
	}
	c.measure()
	return c, nil
}

// load replays the log and returns the transactions whose end it holds. Those of older generations
// have no directory under work/ any more: it is cleared away before a generation is sealed.
func (c *Crawl) load() (ended map[uint64]bool, err error) {
	f, err := os.Open(filepath.Join(c.Root, txlog.LogFile))
	if errors.Is(err, fs.ErrNotExist) {
		c.State = txlog.NewState("")
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	ended = map[uint64]bool{}
	rp, err := txlog.Read(f, func(r txlog.Record) error {
		ended[r.Number()] = true
		c.clock(r)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name(), err)
	}
	c.Begun, c.State = true, rp.State
	return ended, nil
}

// clock counts a transaction since the last checkpoint towards the pace of its stage.
func (c *Crawl) clock(r txlog.Record) {
	commit, ok := r.(*txlog.Commit)
	if !ok || commit.Stage == "" {
		return
	}
	if c.pace == nil {
		c.pace = pace.New(commit.Run.Start)
	}
	c.pace.Add(commit.Stage, commit.Run.End, commit.Read)
}

// useStored takes the script of the last start, with the values that its vars had. It goes by the
// name of the file, so relative names in it mean what they meant.
func (c *Crawl) useStored() {
	stored := (&workdir.Dir{Root: c.Root}).ScriptPath()
	text, err := os.ReadFile(stored)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(text, c.Script.Text) {
		return
	}
	if err != nil {
		c.Notice = fmt.Sprintf("the script of the last start cannot be read, so this goes by the file: %v", err)
		return
	}
	s, err := script.Parse(c.Script.Path, text, nil)
	if err != nil {
		c.Notice = fmt.Sprintf("the script of the last start, %s, is of another version; this goes by the file", stored)
		return
	}
	s.Dir = c.Root // the crawl may have been moved
	c.Script = s
	c.Notice = fmt.Sprintf("%s was edited since the last start, or that had other values of -var; "+
		"this goes by the script of that start, %s", s.Path, stored)
}

// measure builds the scheduler's table.
func (c *Crawl) measure() {
	c.taken = map[reading]bool{}
	var running []sched.Running
	for _, r := range c.underWay() {
		running = append(running, sched.Running{Stage: r.Stage, Inputs: r.Inputs, Start: r.Start})
		for _, name := range r.Inputs {
			c.taken[reading{name, r.Stage}] = true
		}
	}
	c.table = sched.New(c.Script, c.State, running, c.Now)
	c.env = sched.Environment{Now: c.Now, Free: workdir.Free(c.Root)}
}

// underWay are the runs of a manager that is alive. Without one they were cut off.
func (c *Crawl) underWay() []Run {
	if c.Holder == nil {
		return nil
	}
	return c.Runs
}

// QueueNames are the script's queues in its order, then those that the log
// alone knows.
func (c *Crawl) QueueNames() []string {
	names := c.Script.QueueNames()
	dirs := map[string]bool{}
	for name := range c.State.Batches() {
		dirs[name.Queue()] = true
	}
	for _, name := range c.State.Queues() {
		dirs[name] = true
	}
	for _, name := range names {
		delete(dirs, name)
	}
	return append(names, slices.Sorted(maps.Keys(dirs))...)
}

// StageNames are the script's stages in its order, then those that the log
// alone knows.
func (c *Crawl) StageNames() []string {
	names := c.Script.StageNames()
	for _, name := range c.State.Stages() {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
