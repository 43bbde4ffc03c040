package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// requestHelp is common to the verbs that write.
const requestHelp = `

Beside a running manager the request is left in the crawl's inbox, and that
manager takes it within a second or so; without one it is carried out at once.
Either way it is a transaction: manager log shows it, and a crash neither loses
it nor does it twice.`

const (
	answerWithin = 5 * time.Second       // how long a running manager's answer is awaited
	lookEvery    = 20 * time.Millisecond // how often it is looked for
)

// ask has a request carried out: by the manager that holds the crawl, or, where
// none does, here.
func (m *invocation) ask(path string, q crawl.Request) (int, error) {
	s, err := view.Script(path, m.vars)
	if err != nil {
		return codeOf(err), err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, txlog.LogFile)); errors.Is(err, fs.ErrNotExist) && q.Verb != "add" {
		return crawl.ExitBad, fmt.Errorf("%s holds no crawl yet, so there is nothing to %s", s.Dir, q.Verb)
	}
	store, err := crawl.Open(s, txlog.OS{}, fits(s, q, m.call("forget", path)), m.say)
	var held *workdir.Held
	if errors.As(err, &held) {
		return m.leave(path, q)
	}
	if err != nil {
		return crawl.ExitCode(err), err
	}
	defer store.Close()
	id, err := crawl.Leave(store.Dir, q)
	if err != nil {
		return crawl.ExitCode(err), err
	}
	return m.take(store, store.Log.State.Generation, id)
}

// take carries out what waits in the inbox, and answers one request of it that was
// left in a generation of the log.
func (m *invocation) take(store *crawl.Store, generation uint64, id string) (int, error) {
	left, err := store.TakeInbox(func(string) {})
	if err == nil && left[id] != nil {
		err = fmt.Errorf("request %s stays in the inbox, for the next run or verb: %w", id, left[id])
	}
	if err != nil {
		return crawl.ExitCode(err), err
	}
	return m.answer(store.Dir.Root, generation, id)
}

// fits refuses, before anything is changed, a request that makes no sense and a
// script that does not fit what the crawl holds. What a request is to let go of
// is the very thing that does not fit.
func fits(s *script.Script, q crawl.Request, forget string) func(*txlog.State) error {
	return func(state *txlog.State) error {
		if q.Verb != "forget" {
			if err := crawl.FitsScript(s, state, forget); err != nil {
				return err
			}
		}
		if err := crawl.Sensible(s, state, q); err != nil {
			return &crawl.Refusal{Why: []string{err.Error()}}
		}
		return nil
	}
}

// leave puts the request into the inbox of a crawl that a manager holds. Should
// that manager end without having taken it, it is taken here.
func (m *invocation) leave(path string, q crawl.Request) (int, error) {
	c, err := view.Open(path, m.vars, time.Now())
	if err != nil {
		return codeOf(err), err
	}
	if err := crawl.Sensible(c.Script, c.State, q); err != nil {
		return crawl.ExitBad, err
	}
	dir := &workdir.Dir{Root: c.Root, Disk: txlog.OS{}}
	id, err := crawl.Leave(dir, q)
	if err != nil {
		return crawl.ExitBroken, fmt.Errorf("leave a request in %s: %w", dir.InboxPath(), err)
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for deadline := time.Now().Add(answerWithin); time.Now().Before(deadline); <-tick.C {
		if _, err := os.Lstat(filepath.Join(dir.InboxPath(), id)); errors.Is(err, fs.ErrNotExist) {
			return m.answer(c.Root, c.State.Generation, id)
		}
		if workdir.Holder(c.Root) == nil {
			return m.takeOver(c, id)
		}
	}
	line(m.out, "left for the running manager, which will take it; it is request %s", id)
	return crawl.ExitDone, nil
}

// takeOver carries out a request that was left for a manager that has ended. If
// the next one has begun meanwhile, that one takes it.
func (m *invocation) takeOver(c *view.Crawl, id string) (int, error) {
	store, err := crawl.Open(c.Script, txlog.OS{}, func(*txlog.State) error { return nil }, m.say)
	var held *workdir.Held
	if errors.As(err, &held) {
		line(m.out, "left for manager %d, which will take it; it is request %s", held.Pid, id)
		return crawl.ExitDone, nil
	}
	if err != nil {
		return crawl.ExitCode(err), err
	}
	defer store.Close()
	return m.take(store, c.State.Generation, id)
}

// answer says what became of a request that was left in a generation of the log
// and taken since.
func (m *invocation) answer(root string, generation uint64, id string) (int, error) {
	var c *txlog.Commit
	sum := &txlog.Commit{} // of all the transactions that it came to
	_, err := txlog.History(root, txlog.Position{Generation: generation}, func(r txlog.Record) error {
		part, ok := r.(*txlog.Commit)
		if !ok || part.Request != id && part.Part.Name != id {
			return nil
		}
		if part.Request == id {
			c = part
		}
		sum.Tx = cmp.Or(sum.Tx, part.Tx)
		sum.Outputs, sum.Gone = append(sum.Outputs, part.Outputs...), append(sum.Gone, part.Gone...)
		sum.Reset, sum.Forget = append(sum.Reset, part.Reset...), append(sum.Forget, part.Forget...)
		sum.Notes = append(sum.Notes, part.Notes...)
		return nil
	}, nil)
	if err != nil {
		return codeOf(err), err
	}
	if c == nil {
		return crawl.ExitDamaged, fmt.Errorf("request %s was taken and no line of the log answers it", id)
	}
	if why := crawl.Refused(c); why != "" {
		return crawl.ExitBad, fmt.Errorf("transaction %d: %s", c.Tx, why)
	}
	for _, note := range sum.Notes {
		line(m.out, "%s", note)
	}
	tx := fmt.Sprint("transaction ", c.Tx)
	if sum.Tx != c.Tx {
		tx = fmt.Sprintf("transactions %d to %d", sum.Tx, c.Tx)
	}
	line(m.out, "%s: %s", tx, view.Answer(sum))
	return crawl.ExitDone, nil
}

// say prints a line about what a verb found and mended.
func (m *invocation) say(text string) { line(m.err, "manager: %s", text) }
