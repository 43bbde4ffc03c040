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

// refusedNote is the beginning of the note of a transaction that refuses a request.
const refusedNote = "refused: "

// Refused returns why a request was refused, given the commit that answers it. It returns "" if the
// request was not refused. A user's own note may begin in the same way, but then the request has
// done something.
func Refused(c *txlog.Commit) string {
	if len(c.Outputs)+len(c.Gone) == 0 && len(c.Notes) == 1 && strings.HasPrefix(c.Notes[0], refusedNote) {
		return c.Notes[0]
	}
	return ""
}

// A transaction is one line of the log. So a request that exceeds these limits is carried out in
// several transactions, and the last one answers it.
const (
	filesAtOnce = 1_000   // files to add
	namesAtOnce = 100_000 // batches to put back or drop
)

// An answer is the next transaction of a request. An invalid request, or one whose files are
// missing, is answered by a note: its sender may be gone, and the crawl continues without it. If
// the machine had no room for a request or failed to read it, the request has no answer yet. It
// stays in the inbox, because it was promised.
type answer struct {
	id      string
	request Request
	rec     *txlog.Commit
	refusal error
	machine error // why the machine could not carry it out
	before  int   // the number of its files or batches that are done already
	more    bool  // some are left for the next transaction
}

// consider reads a request. Its answer needs a number before it can be carried out.
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

// cutTo cuts a list to what one transaction can contain, and leaves the rest for the next.
func cutTo[T any](a *answer, list []T, most int) []T {
	if len(list) <= most || a.refusal != nil {
		return list
	}
	a.more = true
	a.rec.Request, a.rec.Part = "", txlog.Count{Name: a.id, N: int64(a.before + most)}
	return list[:most]
}

// carryOut carries out a request up to the commit.
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
			a.rec.Forget = nil // only the last transaction forgets it
		}
	}
}

// unreadable reports whether an error means that somebody removed a file of the request or never
// wrote it, and not that the machine failed to read it.
func (st *Store) unreadable(err error) bool {
	var path *fs.PathError
	//failpoint:add-given-up return err != nil
	return errors.As(err, &path) && strings.HasPrefix(path.Path, st.Dir.InboxPath()) && !fault.Machine(err)
}

// conclude commits the answer. If it is the last, conclude removes the request.
func (st *Store) conclude(a *answer, say func(string)) error {
	switch {
	case a.refusal == nil && !a.more:
		say(strings.TrimSpace("request " + a.request.Verb + " " + a.request.Name))
	case a.refusal != nil:
		note := refusedNote + a.refusal.Error()
		if a.before > 0 {
			note += fmt.Sprintf("; %d were done before", a.before)
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

// drop removes batches from the live set, unless a run is reading one of them.
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
			return fmt.Errorf("%s is a segment of a state and matches the log; only a lost one can be dropped", name)
		}
	}
	rec.Gone = q.Batches
	if q.Why != "" {
		rec.Notes = append(rec.Notes, q.Why)
	}
	return nil
}
