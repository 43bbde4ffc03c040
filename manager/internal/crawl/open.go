// Package crawl implements a crawl that is open for transactions.
//
// A start locks the directory of the crawl and recovers it. It refuses a crawl that must not
// continue (open.go). Begin commits the edits of the script and adds its seeds. Each change is a
// transaction: Settle appends its line to the log and then moves and removes its files (commit.go).
// A verb writes its request into the inbox. The process that holds the crawl answers the request;
// it is a running manager or the verb itself (request.go, inbox.go, answer.go). Repair rebuilds a
// log (repair.go).
//
// ExitCode returns the manager's exit code for an error of this package (exit.go).
package crawl

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// A Store is a crawl's directory, locked, recovered and open for transactions.
type Store struct {
	Script *script.Script
	Dir    *workdir.Dir
	Log    *txlog.Log
	Secret []string // the variable with the path of the secret, for the environment of stages
	Lost   bool     // a file that no stage has yet to read is missing, and was not dropped

	// Reading returns the run that is reading a batch, or 0 if there is none.
	Reading func(txlog.Name) uint64
}

// An Opening contains the options for opening a crawl.
type Opening struct {
	Check   func(*txlog.State) error // returns an error to refuse the crawl, before anything is changed; may be nil
	Say     func(string)             // gets messages about what was rolled back and completed
	Without []txlog.Name             // files that will be dropped, so they may be missing
	Run     bool                     // the script will be run; false for a verb that only answers requests
}

// Open takes the crawl's lock and recovers its directory.
func Open(s *script.Script, disk txlog.Disk, o Opening) (*Store, error) {
	dir, err := workdir.Open(s.Dir, disk, o.Say)
	if err != nil {
		return nil, err
	}
	if err := dir.Lock(); err != nil {
		return nil, err
	}
	st := &Store{Script: s, Dir: dir, Reading: func(txlog.Name) uint64 { return 0 }}
	if err := st.recover(o); err != nil {
		dir.Unlock()
		return nil, err
	}
	return st, nil
}

// recover implements the recovery of package txlog. It examines the directory, and refuses the
// crawl or begins a new generation of the log. Then it completes committed transactions and rolls
// back the others.
func (st *Store) recover(o Opening) error {
	rec, err := workdir.Examine(st.Dir.Root)
	if err != nil {
		return err
	}
	if err := Sound(st.Script, rec, o.Without...); err != nil {
		return err
	}
	if o.Check != nil {
		if err := o.Check(rec.State); err != nil {
			return err
		}
	}
	for _, line := range Plan(rec) {
		o.Say(line)
	}
	for _, lost := range rec.Lost {
		if !slices.Contains(o.Without, lost.Name) {
			st.Lost = true
			o.Say("continues without a file that no stage has yet to read: " + lost.String())
		}
	}
	if rec.Born {
		rec.State = txlog.NewState(newID())
	}
	if err := st.Dir.Prepare(rec); err != nil {
		return err
	}
	if st.Secret, err = st.Dir.SecretEnv(); err != nil {
		return err
	}
	var readers []txlog.Reading
	if o.Run {
		readers = readersOf(st.Script)
	}
	if st.Log, err = txlog.Begin(st.Dir.Disk, st.Dir.Root, rec.State, readers); err != nil {
		return err
	}
	if err := st.Trim(); err != nil {
		return err
	}
	if err := st.layout(); err != nil {
		return err
	}
	return st.Dir.Recover(rec, st.Log)
}

func (st *Store) layout() error {
	var states []string
	for _, s := range st.Script.Stages {
		if s.State != "" {
			states = append(states, s.State)
		}
	}
	return st.Dir.Layout(st.Script.QueueNames(), states)
}

// historyKept is the default of [limit] history, in bytes.
const historyKept = 1 << 30

// Trim deletes the oldest sealed logs. It leaves those that cannot be deleted.
func (st *Store) Trim() error {
	return st.Dir.Leave(st.Log.Trim(cmp.Or(st.Script.Limit.History, historyKept)))
}

// Close gives up the crawl's lock.
func (st *Store) Close() error { return errors.Join(st.Log.Close(), st.Dir.Unlock()) }

// newID returns 128 random bits in hex.
func newID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// Sound returns an error if a file is missing that a start needs: a segment, or a batch that a
// stage has yet to read. The log may have lost the line that removed the file. Missing products are
// no error, and neither are the files of without.
func Sound(s *script.Script, rec *workdir.Recovery, without ...txlog.Name) error {
	var wanted []string
	for _, lost := range rec.Lost {
		b, q := rec.State.Batch(lost.Name), s.Queue(lost.Name.Queue())
		toRead := func(st *script.Stage) bool { return !b.HasRead(st.Name) && !b.Mark(st.Name).Aside }
		if (b == nil || q == nil || slices.ContainsFunc(q.Readers, toRead)) && !slices.Contains(without, lost.Name) {
			wanted = append(wanted, lost.String())
		}
	}
	if wanted == nil {
		return nil
	}
	files := "1 live file is"
	if n := len(wanted); n > 1 {
		files = fmt.Sprintf("%d live files are", n)
	}
	return &Exit{ExitDamaged, fmt.Errorf("%s: %s damaged; nothing was changed. Restore from a copy, "+
		"or drop what is lost, by its name, with manager drop:\n  %s", s.Dir, files, strings.Join(wanted, "\n  "))}
}

// Plan describes in words what a start would do, one line for each action. It returns no lines if
// nothing is to be done.
func Plan(rec *workdir.Recovery) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if len(rec.Torn) > 0 {
		say("drop the end of the log: %d bytes of a line that was never finished", len(rec.Torn))
	}
	for _, u := range rec.RollBack {
		say("roll back transaction %d of %s, begun %s", u.Tx, u.Run.Stage, u.Run.Start.Local().Format(time.DateTime))
		for _, in := range u.Run.Inputs {
			say("  its input %s waits again", in)
		}
	}
	for _, name := range rec.Place {
		say("finish transaction %d: put %s in its place", name.Tx(), name)
	}
	for _, name := range rec.Remove {
		say("finish a removal: %s is not live any more", name)
	}
	for _, id := range rec.Requests {
		say("finish a removal: request %s was answered", id)
	}
	for _, tx := range rec.Leftover {
		say("clear away work/%s of a transaction that ended", txlog.TxDir(tx))
	}
	for _, name := range rec.Halves {
		say("clear away inbox/%s, a request that was cut off", name)
	}
	for _, name := range rec.Temps {
		say("clear away %s, a replacement that was cut off", name)
	}
	return out
}
