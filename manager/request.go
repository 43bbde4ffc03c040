package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
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
	s, err := view.Script(path, m.vars.list)
	if err != nil {
		return codeOf(err), err
	}
	if _, err := os.Stat(filepath.Join(s.Dir, txlog.LogFile)); errors.Is(err, fs.ErrNotExist) && q.Verb != "add" {
		return crawl.ExitBad, fmt.Errorf("%s holds no crawl yet, so there is nothing to %s", s.Dir, q.Verb)
	}
	id, err := crawl.Repeated(&workdir.Dir{Root: s.Dir}, q)
	if err != nil {
		return crawl.ExitCode(err), err
	}
	if id != "" {
		m.say("the same was asked for before, by request " + id + "; nothing is done twice")
	} else if last, sum, err := answered(s.Dir, 0, q.ID); err != nil || last != nil {
		return m.answerAgain(q, last, sum, err)
	}
	store, err := crawl.Open(s, txlog.OS{}, fits(s, q, m.call("forget", path)), m.say, q.Batches...)
	var held *workdir.Held
	if errors.As(err, &held) {
		return m.leave(path, q, id)
	}
	if err != nil {
		return crawl.ExitCode(err), fate(id, nil, err)
	}
	defer store.Close()
	generation := store.Log.State.Generation
	if id, generation, err = leaveOnce(store.Dir, q, id, generation); err != nil {
		return crawl.ExitCode(err), fate(id, store.Log.State, err)
	}
	return m.take(store, generation, id)
}

// leaveOnce leaves a request in a generation of the log, unless it has an id and was left
// before, which may have been in any.
func leaveOnce(dir *workdir.Dir, q crawl.Request, id string, generation uint64) (string, uint64, error) {
	if id != "" {
		return id, 0, nil
	}
	id, err := crawl.Leave(dir, q)
	return id, generation, err
}

// take carries out what waits in the inbox, and answers one request of it that was
// left in a generation of the log.
func (m *invocation) take(store *crawl.Store, generation uint64, id string) (int, error) {
	left, err := store.TakeInbox(func(string) {})
	if err == nil {
		err = left[id]
	}
	if err != nil {
		return crawl.ExitCode(err), fate(id, store.Log.State, err)
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
func (m *invocation) leave(path string, q crawl.Request, id string) (int, error) {
	c, err := view.Open(path, m.vars.list, time.Now())
	if err != nil {
		return codeOf(err), err
	}
	if err := crawl.Sensible(c.Script, c.State, q); err != nil {
		return crawl.ExitBad, err
	}
	dir := &workdir.Dir{Root: c.Root, Disk: txlog.OS{}}
	id, generation, err := leaveOnce(dir, q, id, c.State.Generation)
	if err != nil {
		return crawl.ExitBroken, fate(id, nil, fmt.Errorf("leave a request in %s: %w", dir.InboxPath(), err))
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for deadline := time.Now().Add(answerWithin); time.Now().Before(deadline); <-tick.C {
		if _, err := os.Lstat(filepath.Join(dir.InboxPath(), id)); errors.Is(err, fs.ErrNotExist) {
			return m.answer(c.Root, generation, id)
		}
		if workdir.Holder(c.Root) == nil {
			return m.takeOver(c, generation, id)
		}
	}
	terminal.Line(m.out, "left for the running manager, which will take it; it is request %s", id)
	return crawl.ExitDone, nil
}

// takeOver carries out a request that was left for a manager that has ended. If
// the next one has begun meanwhile, that one takes it.
func (m *invocation) takeOver(c *view.Crawl, generation uint64, id string) (int, error) {
	store, err := crawl.Open(c.Script, txlog.OS{}, func(*txlog.State) error { return nil }, m.say)
	var held *workdir.Held
	if errors.As(err, &held) {
		terminal.Line(m.out, "left for manager %d, which will take it; it is request %s", held.Pid, id)
		return crawl.ExitDone, nil
	}
	if err != nil {
		return crawl.ExitCode(err), fate(id, nil, err)
	}
	defer store.Close()
	return m.take(store, generation, id)
}

// say prints a line about what a verb found and mended.
func (m *invocation) say(text string) { terminal.Line(m.err, "manager: %s", text) }
