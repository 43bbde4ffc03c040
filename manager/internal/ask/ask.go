// Package ask carries out the requests of the verbs that write. If a manager holds the crawl,
// package ask puts the request into the crawl's inbox. Otherwise it carries out the request at
// once.
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
	answerWithin = 5 * time.Second       // how long to wait for the answer of a running manager
	lookEvery    = 20 * time.Millisecond // how often to check for it
)

// An Asker makes requests to the crawl of a script.
type Asker struct {
	Script *script.Script
	Disk   txlog.Disk
	Out    io.Writer
	Say    func(string) // prints what recovery did
	Forget string       // the command line of manager forget for this crawl
}

// Ask carries out a request, or leaves it for a running manager. [crawl.ExitCode] returns the exit
// code for an error, except for an error in the request itself.
func (a *Asker) Ask(q crawl.Request) error {
	root := a.Script.Dir
	if _, err := os.Stat(filepath.Join(root, txlog.LogFile)); errors.Is(err, fs.ErrNotExist) && q.Verb != "add" {
		return fmt.Errorf("%s holds no crawl yet, so there is nothing to %s", root, q.Verb)
	}
	id, err := crawl.Repeated(&workdir.Dir{Root: root}, q)
	if err != nil {
		return broken(err)
	}
	if id != "" {
		a.Say("the same request was made before, with the id " + id + "; nothing is done twice")
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

// leaveOnce writes a request to the inbox. It writes nothing if the request has an id, because then
// the request is in the inbox already, and the log generation is unknown. It returns the id and the
// generation from which to search for the answer.
func leaveOnce(dir *workdir.Dir, q crawl.Request, id string, generation uint64) (string, uint64, error) {
	if id != "" {
		return id, 0, nil
	}
	id, err := crawl.Leave(dir, q)
	return id, generation, err
}

// take carries out the requests in the inbox, and prints the answer to one of them.
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

// fits returns the check to make before anything is changed. The check refuses an invalid request.
// Except for forget, it also refuses a script that does not fit the crawl; forget removes what does
// not fit.
func (a *Asker) fits(q crawl.Request) func(*txlog.State) error {
	return func(state *txlog.State) error {
		if q.Verb != "forget" {
			if err := crawl.FitsScript(a.Script, state, a.Forget); err != nil {
				return err
			}
		}
		if err := crawl.Sensible(a.Script, state, q); err != nil {
			return &crawl.Exit{Code: crawl.ExitBad, Err: err}
		}
		return nil
	}
}

// leave puts the request into the inbox of a crawl that a manager holds. If that manager ends
// without taking the request, leave carries it out itself.
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
			return a.takeOver(c.Script, generation, id)
		}
	}
	terminal.Line(a.Out, "left for the running manager, which will take it; it is request %s", id)
	return nil
}

// takeOver carries out a request that was left for a manager that has ended, unless another manager
// has started since.
func (a *Asker) takeOver(s *script.Script, generation uint64, id string) error {
	store, err := crawl.Open(s, a.Disk, crawl.Opening{Say: a.Say})
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
