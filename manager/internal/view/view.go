// Package view reads a crawl for the verbs that only look: what its log says,
// which runs are under way, and the script of its last start.
//
// It takes no lock, writes nothing and repairs nothing, so it works beside a
// running manager and in every state that a crash can leave. What it sees is a
// prefix of the log: a line that is not whole counts as not yet written. Files
// and runs are looked at after the log, and the order of the looks is such that
// a manager at work cannot make them contradict each other.
//
// The types here are what the verbs print with -json; their keys are stable.
// Times are UTC, sizes bytes, and what nobody counted is null.
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
	taken map[string]map[txlog.Name]bool // by stage: inputs of runs under way
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

// Script reads a script, with other values for some of its vars. Programs and files that it
// names need not be there. The error is of type script.Errors, or wraps what reading returned.
func Script(path string, vars []script.Var) (*script.Script, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	return script.Parse(path, text, nil, vars...)
}

// load replays the log and returns the transactions whose end it holds. Those
// of older generations have no directory under work/ that could be taken for a
// run: it is cleared away before a generation is sealed.
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

// clock takes the pace of the stages from the transactions since the last checkpoint.
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

// useStored takes the script that the last start has kept, under the name of
// the file, so that relative names in it mean what they meant. The values that its
// vars were given stand in it.
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

// measure lets the scheduler reckon what waits for whom.
func (c *Crawl) measure() {
	c.taken = map[string]map[txlog.Name]bool{}
	var running []sched.Running
	for _, r := range c.UnderWay() {
		running = append(running, sched.Running{Stage: r.Stage, Inputs: r.Inputs, Start: r.Start})
		if c.taken[r.Stage] == nil {
			c.taken[r.Stage] = map[txlog.Name]bool{}
		}
		for _, name := range r.Inputs {
			c.taken[r.Stage][name] = true
		}
	}
	c.table = sched.New(c.Script, c.State, running, c.Now)
	c.env = sched.Environment{Now: c.Now, Free: Free(c.Root)}
}

// UnderWay are the runs of a manager that is alive.
func (c *Crawl) UnderWay() []Run {
	if c.Holder == nil {
		return nil
	}
	return c.Runs
}

// CutOff are the runs of a manager that is not.
func (c *Crawl) CutOff() []Run {
	if c.Holder != nil {
		return nil
	}
	return c.Runs
}

// Conditions measures every start condition of a stage.
func (c *Crawl) Conditions(stage string) []sched.Condition { return c.table.Conditions(stage, c.env) }

// Free is the number of bytes free where a crawl's directory lies, or will lie.
func Free(root string) int64 {
	for {
		_, err := os.Stat(root)
		if up := filepath.Dir(root); err != nil && up != root {
			root = up
			continue
		}
		return (&workdir.Dir{Root: root}).Free()
	}
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
