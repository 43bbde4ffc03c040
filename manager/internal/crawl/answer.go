package crawl

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"multitext/manager/internal/fault"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// refusedNote begins the note of a transaction that answers a request by refusing
// it.
const refusedNote = "refused: "

// Refused tells why a request was refused that a commit answers; "" if it was not. A
// note that begins like it may be the user's own, of a request that did something.
func Refused(c *txlog.Commit) string {
	if len(c.Outputs)+len(c.Gone) == 0 && len(c.Notes) == 1 && strings.HasPrefix(c.Notes[0], refusedNote) {
		return c.Notes[0]
	}
	return ""
}

// A transaction is one line of the log, so a request that asks for more than these is
// carried out in several, one after the other: the last answers it.
const (
	filesAtOnce = 1_000   // that are brought in
	namesAtOnce = 100_000 // of batches put back or let go of
)

// An answer is the next transaction that a request comes to. One that makes no sense, or
// whose files are not there, is answered by a note: the one who asked may be gone,
// and the crawl goes on without. One that the machine had no room for, or failed to
// read, has no answer yet: it stays in the inbox, for it was promised.
type answer struct {
	id      string
	request Request
	rec     *txlog.Commit
	refusal error
	machine error // why it could not be carried out, by no fault of its own
	before  int   // so many of its files or batches are done with already
	more    bool  // and some are left for the next
}

// consider reads a request. Its answer needs a number before it is carried out.
func (st *Store) consider(id string) *answer {
	a := &answer{id: id, rec: &txlog.Commit{Request: id}, before: int(st.Log.State.Part(id))}
	var err error
	if a.request, err = readRequest(st.Dir, id); fault.Machine(err) {
		a.machine = err
		return a
	}
	q := &a.request
	q.Files, q.Hashes = q.Files[min(a.before, len(q.Files)):], q.Hashes[min(a.before, len(q.Hashes)):]
	q.Batches = q.Batches[min(a.before, len(q.Batches)):]
	if a.refusal = err; err == nil {
		a.refusal = Sensible(st.Script, st.Log.State, *q)
	}
	//failpoint:small-parts q.Files = cutTo(a, q.Files, 1)
	q.Files, q.Batches = cutTo(a, q.Files, filesAtOnce), cutTo(a, q.Batches, namesAtOnce)
	return a
}

// cutTo leaves in a list what one transaction takes, and the rest to the next.
func cutTo[T any](a *answer, list []T, most int) []T {
	if len(list) <= most || a.refusal != nil {
		return list
	}
	a.more = true
	a.rec.Request, a.rec.Part = "", txlog.Count{Name: a.id, N: int64(a.before + most)}
	return list[:most]
}

// carryOut does what is asked, as far as it comes before the commit.
func (st *Store) carryOut(a *answer) {
	if a.refusal != nil || a.machine != nil {
		return
	}
	switch q := a.request; q.Verb {
	case "add":
		if err := st.carry(a.rec, q.Name, q.Files, a.request.linkIn(st.Dir)); st.unreadable(err) {
			a.refusal = err
		} else {
			a.machine = err
		}
	case "retry":
		a.rec.Reset = cutTo(a, marked(st.Log.State, q.Name, a.rec.Run.End), namesAtOnce)
	case "drop":
		a.refusal = st.drop(a.rec, q)
	case "forget":
		st.forgetting(a.rec, q.Name)
		if a.rec.Gone = cutTo(a, a.rec.Gone, namesAtOnce); a.more {
			a.rec.Forget = nil // when all that goes with it is gone
		}
	}
}

// unreadable reports whether an error tells of a request's own file, that somebody removed
// it or left none, and not that the machine failed to read it.
func (st *Store) unreadable(err error) bool {
	var path *fs.PathError
	//failpoint:add-given-up return err != nil
	return errors.As(err, &path) && strings.HasPrefix(path.Path, st.Dir.InboxPath()) && !fault.Machine(err)
}

// conclude commits the answer and, if it is the last, removes the request.
func (st *Store) conclude(a *answer, say func(string)) error {
	switch {
	case a.refusal == nil && !a.more:
		say(strings.TrimSpace("request " + a.request.Verb + " " + a.request.Name))
	case a.refusal != nil:
		note := refusedNote + a.refusal.Error()
		if a.before > 0 {
			note += fmt.Sprintf("; %d of it were done before", a.before)
		}
		a.more, a.rec.Request, a.rec.Part = false, a.id, txlog.Count{}
		say("request " + a.id + " " + note)
		a.rec.Outputs, a.rec.Gone, a.rec.Notes = nil, nil, []string{note}
		if err := st.Dir.Empty(a.rec.Tx); err != nil {
			return err
		}
	}
	if err := st.Settle(a.rec); err != nil || a.more {
		return err
	}
	return st.removeRequest(a.id)
}

// drop lets go of batches, unless a run is reading one.
func (st *Store) drop(rec *txlog.Commit, q Request) error {
	for _, name := range q.Batches {
		if tx := st.Reading(name); tx > 0 {
			return fmt.Errorf("transaction %d is reading %s; wait for its end", tx, name)
		}
	}
	for _, name := range q.Batches {
		o, _ := st.Log.State.Live(name)
		what, err := workdir.Amiss(st.Dir.Path(string(name)), o)
		switch {
		case err != nil:
			return err
		case what != "":
			note := fmt.Sprintf("lost: %s %s; it had %d bytes, %d records (-1: not counted), XXH64 %s",
				name, what, o.Size, o.Records, o.Hash)
			rec.Notes = append(rec.Notes, note)
		case st.Log.State.Batch(name) == nil:
			return fmt.Errorf("%s is a segment of a state and as the log says; only a lost one is let go of", name)
		}
	}
	rec.Gone = q.Batches
	if q.Why != "" {
		rec.Notes = append(rec.Notes, q.Why)
	}
	return nil
}
