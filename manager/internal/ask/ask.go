// Package ask has a request carried out for a verb that writes: by the manager that holds the
// crawl, through the crawl's inbox, or, where none does, at once.
package ask

import (
	"errors"
	"fmt"
	"io"
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

const (
	answerWithin = 5 * time.Second       // how long a running manager's answer is awaited
	lookEvery    = 20 * time.Millisecond // how often it is looked for
)

// An Asker asks for a crawl's script.
type Asker struct {
	Script *script.Script
	Path   string // of the script
	Disk   txlog.Disk
	Out    io.Writer
	Say    func(string) // prints what was found and mended
	Forget string       // how manager forget is called for this crawl
}

// Ask has a request carried out. An error has the exit code that [crawl.ExitCode] tells, or is
// about what was asked for.
func (a *Asker) Ask(q crawl.Request) error {
	root := a.Script.Dir
	if _, err := os.Stat(filepath.Join(root, txlog.LogFile)); errors.Is(err, fs.ErrNotExist) && q.Verb != "add" {
		return fmt.Errorf("%s holds no crawl yet, so there is nothing to %s", root, q.Verb)
	}
	id, err := crawl.Repeated(&workdir.Dir{Root: root}, q)
	if err != nil {
		return failed(err)
	}
	if id != "" {
		a.Say("the same was asked for before, by request " + id + "; nothing is done twice")
	} else if last, sum, err := answered(root, 0, q.ID); err != nil || last != nil {
		return a.answerAgain(q, last, sum, err)
	}
	store, err := crawl.Open(a.Script, a.Disk, crawl.Opening{Check: a.fits(q), Say: a.Say, Without: q.Batches})
	var held *workdir.Held
	if errors.As(err, &held) {
		return a.leave(q, id)
	}
	if err != nil {
		return fate(id, nil, err)
	}
	defer store.Close()
	id, generation, err := leaveOnce(store.Dir, q, id, store.Log.State.Generation())
	if err != nil {
		return fate(id, store.Log.State, err)
	}
	return a.take(store, generation, id)
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
func (a *Asker) take(store *crawl.Store, generation uint64, id string) error {
	_, left, err := store.TakeInbox(func(string) {}, nil)
	if err == nil {
		err = left[id]
	}
	if err != nil {
		return fate(id, store.Log.State, err)
	}
	return a.answer(store.Dir.Root, generation, id)
}

// fits refuses, before anything is changed, a request that makes no sense and a
// script that does not fit what the crawl holds. What a request is to let go of
// is the very thing that does not fit.
func (a *Asker) fits(q crawl.Request) func(*txlog.State) error {
	return func(state *txlog.State) error {
		if q.Verb != "forget" {
			if err := crawl.FitsScript(a.Script, state, a.Forget); err != nil {
				return err
			}
		}
		if err := crawl.Sensible(a.Script, state, q); err != nil {
			return &crawl.Refusal{Why: []string{err.Error()}}
		}
		return nil
	}
}

// leave puts the request into the inbox of a crawl that a manager holds. Should
// that manager end without having taken it, it is taken here.
func (a *Asker) leave(q crawl.Request, id string) error {
	c, err := view.Open(a.Script, time.Now())
	if err != nil {
		return err
	}
	if err := crawl.Sensible(c.Script, c.State, q); err != nil {
		return err
	}
	dir := &workdir.Dir{Root: c.Root, Disk: a.Disk}
	id, generation, err := leaveOnce(dir, q, id, c.State.Generation())
	if err != nil {
		return fate(id, nil, fmt.Errorf("leave a request in %s: %w", dir.InboxPath(), err))
	}
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for deadline := time.Now().Add(answerWithin); time.Now().Before(deadline); <-tick.C {
		if _, err := os.Lstat(filepath.Join(dir.InboxPath(), id)); errors.Is(err, fs.ErrNotExist) {
			return a.answer(c.Root, generation, id)
		}
		if workdir.Holder(c.Root) == nil {
			return a.takeOver(c, generation, id)
		}
	}
	terminal.Line(a.Out, "left for the running manager, which will take it; it is request %s", id)
	return nil
}

// takeOver carries out a request that was left for a manager that has ended. If
// the next one has begun meanwhile, that one takes it.
func (a *Asker) takeOver(c *view.Crawl, generation uint64, id string) error {
	store, err := crawl.Open(c.Script, a.Disk, crawl.Opening{Say: a.Say})
	var held *workdir.Held
	if errors.As(err, &held) {
		terminal.Line(a.Out, "left for manager %d, which will take it; it is request %s", held.Pid, id)
		return nil
	}
	if err != nil {
		return fate(id, nil, err)
	}
	defer store.Close()
	return a.take(store, generation, id)
}
