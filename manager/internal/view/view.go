// Package view reads a crawl for the verbs that only look: its log, the runs in progress, and the
// script of its last start.
//
// It takes no lock and writes nothing. So it works while a manager runs, and in every state that a
// crash can leave. It sees a prefix of the log: an incomplete last line counts as not yet written.
// It reads the directories after the log, in such an order that a running manager cannot cause
// contradictions.
//
// The verbs print the types of this package with -json, as manager/JSON.md describes. The keys are
// stable. Times are in UTC, sizes are in bytes, and an unknown number is null.
package view

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"time"

	"multitext/manager/internal/pace"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Crawl is the state of a crawl at one moment.
type Crawl struct {
	Script *script.Script // the script of the last start, or the script's file if there was no start
	Notice string         // why Script differs from the file; "" if it does not
	Root   string         // absolute path of the crawl's directory
	Begun  bool           // whether there is a log
	State  *txlog.State
	Holder *workdir.Held // the manager that holds the crawl; nil if there is none
	Runs   []Run         // sorted by number
	Now    time.Time

	pace  *pace.Pace // nil if no transaction has ended since the last checkpoint
	table *sched.Table
	env   sched.Environment
	taken map[reading]bool // the inputs of runs in progress
}

// A Run is a transaction that has a directory under work/ and no end in the log. If no manager
// holds the crawl, the run was cut off.
type Run struct {
	Tx uint64
	workdir.RunFile
}

// Open reads the crawl of a script. The error is a *txlog.Damage, or wraps an error of reading.
func Open(s *script.Script, now time.Time) (*Crawl, error) {
	l := Follow(s.Dir)
	defer l.Close()
	if err := l.Read(); err != nil {
		return nil, err
	}
	return l.Crawl(s, now), nil
}

// useStored reads the script of the last start, with the values of its vars. The script is parsed
// under the name of the original file, so its relative paths keep their meaning.
func (c *Crawl) useStored() {
	stored := (&workdir.Dir{Root: c.Root}).ScriptPath()
	text, err := os.ReadFile(stored)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Equal(text, c.Script.Text) {
		return
	}
	if err != nil {
		c.Notice = fmt.Sprintf("the script of the last start cannot be read, so the file is used: %v", err)
		return
	}
	s, err := script.Parse(c.Script.Path, text, nil)
	if err != nil {
		c.Notice = fmt.Sprintf("the script of the last start, %s, has another version; the file is used", stored)
		return
	}
	s.Dir = c.Root // somebody may have moved the crawl
	c.Script = s
	c.Notice = fmt.Sprintf("%s was edited since the last start, or the last start used other values of -var; "+
		"the output uses the script of that start, %s", s.Path, stored)
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

// underWay returns the runs of a manager that is alive. If no manager is alive, the runs were cut
// off.
func (c *Crawl) underWay() []Run {
	if c.Holder == nil {
		return nil
	}
	return c.Runs
}

// QueueNames returns the script's queues in order of the script, then those that are only in the
// log.
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

// StageNames returns the script's stages in order of the script, then those that are only in the
// log.
func (c *Crawl) StageNames() []string {
	names := c.Script.StageNames()
	for _, name := range c.State.Stages() {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Done reports whether nothing is left to do, and whether some work has failed.
func (c *Crawl) Done() (done, failed bool) { return c.table.Done() }

// Since returns when the manager was started that runs the crawl.
func (c *Crawl) Since() (since time.Time, ok bool) {
	if c.Holder == nil {
		return since, false
	}
	since, err := time.Parse(time.RFC3339, c.Holder.Since)
	return since, err == nil
}
