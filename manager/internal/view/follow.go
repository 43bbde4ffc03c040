package view

import (
	"maps"
	"slices"
	"time"

	"multitext/manager/internal/pace"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Log follows the log of a crawl, and reads each line once.
type Log struct {
	root  string
	from  *txlog.Follower
	ended map[uint64]bool // the transactions whose end the current generation contains
	pace  *pace.Pace      // nil if no transaction has ended since the last checkpoint

	// Called with the state of each checkpoint that is read, and with each record and the state
	// before it. They may be nil.
	Begin func(*txlog.State) error
	Each  func(*txlog.State, txlog.Record) error
}

// Follow returns a Log that has read nothing.
func Follow(root string) *Log { return &Log{root: root, from: txlog.Follow(root)} }

// Read reads what was added to the log since the last call. The error is a *txlog.Damage, or wraps
// an error of reading; the next call then begins with the checkpoint again.
func (l *Log) Read() error {
	return l.from.More(func(s *txlog.State) error {
		l.ended, l.pace = map[uint64]bool{}, nil
		if l.Begin == nil {
			return nil
		}
		return l.Begin(s)
	}, func(s *txlog.State, r txlog.Record) error {
		l.ended[r.Number()] = true
		l.clock(r)
		if l.Each == nil {
			return nil
		}
		return l.Each(s, r)
	})
}

// Close closes the log. Read opens it again.
func (l *Log) Close() { l.from.Close() }

// clock counts a transaction since the last checkpoint towards the pace of its stage.
func (l *Log) clock(r txlog.Record) {
	commit, ok := r.(*txlog.Commit)
	if !ok || commit.Stage == "" {
		return
	}
	if l.pace == nil {
		l.pace = pace.New(commit.Run.Start)
	}
	l.pace.Add(commit.Stage, commit.Run.End, commit.Read)
}

// Crawl returns the crawl after the lines that were read. It is valid until the next call of Read.
// Transactions of older generations have no directory under work/, because the manager deletes it
// before it seals a generation.
func (l *Log) Crawl(s *script.Script, now time.Time) *Crawl {
	c := &Crawl{Script: s, Root: l.root, Now: now, State: l.from.State(), Begun: l.from.State() != nil, pace: l.pace}
	if c.Begun {
		c.useStored()
	} else {
		c.State = txlog.NewState("")
	}
	runs := workdir.Runs(c.Root)
	c.Holder = workdir.Holder(c.Root)
	for _, tx := range slices.Sorted(maps.Keys(runs)) {
		if !l.ended[tx] {
			c.Runs = append(c.Runs, Run{tx, runs[tx]})
		}
	}
	c.measure()
	return c
}
