package crawl

import (
	"errors"
	"fmt"
	"os"
	"time"

	"multitext/manager/internal/workdir"
	"multitext/script"
	"multitext/txlog"
)

// maxNotes bounds what the transaction of a repair tells; all of it is told to say.
const maxNotes = 1000

// A repair rebuilds a crawl whose log was damaged, lost, or put back from an older copy.
type repair struct {
	st      *Store
	salvage *txlog.Salvage
	found   []string
}

// Repair puts a log in place that says what the old one, history/ and the files in queues
// and states still prove, and tells what that is and what it cannot know. A log that a
// start would accept it leaves alone. dry tells it and changes nothing.
func Repair(s *script.Script, disk txlog.Disk, dry bool, say func(string)) error {
	dir, err := workdir.Open(s.Dir, disk, say)
	if err != nil {
		return err
	}
	if err := dir.Lock(); err != nil {
		return err
	}
	defer dir.Unlock()
	var damage *txlog.Damage
	var behind *workdir.Behind
	switch _, err := workdir.Examine(dir.Root); {
	case err == nil:
		say("the log is whole, and nothing was changed; what else is lost manager recover -n tells, " +
			"and manager drop lets go of it")
		return nil
	case !errors.As(err, &damage) && !errors.As(err, &behind) && !errors.Is(err, workdir.ErrForeign):
		return err
	}
	r := &repair{st: &Store{Script: s, Dir: dir}}
	if r.salvage, err = txlog.Rebuild(dir.Root); err != nil {
		return err
	}
	r.found = r.salvage.Found
	rec, err := r.fit()
	if err != nil {
		return err
	}
	r.tell("it cannot be known which batches a lost transaction read, how many records it counted, what it gave to " +
		"other machines, and what was added, dropped or set aside: of that some may be done again")
	for _, text := range r.found {
		say(text)
	}
	if dry {
		return nil
	}
	return r.carryOut(rec)
}

func (r *repair) tell(format string, args ...any) {
	r.found = append(r.found, fmt.Sprintf(format, args...))
}

// fit makes the rebuilt state that of the files: those that only a lost transaction can
// have left are its outputs and segments, whole as all in a queue are; live ones that are
// gone were read or replaced by one, or are lost.
func (r *repair) fit() (*workdir.Recovery, error) {
	state := r.salvage.State
	next := state.Next()
	for _, q := range r.st.Script.Queues {
		if !q.Export {
			if err := r.adopt(q.Name, "", next); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range r.st.Script.Stages {
		if s.State != "" {
			if err := r.adopt(workdir.SegmentDir(s.State), s.State, next); err != nil {
				return nil, err
			}
		}
	}
	rec, err := workdir.ExamineState(r.st.Dir.Root, state)
	if err != nil {
		return nil, err
	}
	for _, lost := range rec.Lost {
		r.tell("let go of %s: a lost transaction has read or replaced it, or it is lost", lost)
		if err := state.Apply(&txlog.Commit{Tx: state.Next(), Read: -1, Gone: []txlog.Name{lost.Name}}); err != nil {
			return nil, err
		}
	}
	return rec, nil
}

func (r *repair) adopt(dir, segmentOf string, next uint64) error {
	names, err := r.st.Dir.Above(dir, next)
	if err != nil {
		return err
	}
	for _, name := range names {
		o, err := outputAt(r.st.Dir.Path(string(name)), name)
		if err != nil {
			return err
		}
		c := &txlog.Commit{Tx: name.Tx(), Read: -1, Run: txlog.Run{End: time.Now()}}
		if segmentOf != "" {
			c.State, c.Segments = segmentOf, []txlog.Output{o}
		} else {
			c.Outputs = []txlog.Output{o}
		}
		if err := r.salvage.State.Apply(c); err != nil {
			return err
		}
		r.tell("take in %s, %d bytes, which lost transaction %d left", name, o.Size, name.Tx())
	}
	return nil
}

func outputAt(path string, name txlog.Name) (txlog.Output, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return txlog.Output{}, err
	}
	hash, err := workdir.Hash(path)
	return txlog.Output{Name: name, Size: info.Size(), Records: -1, Hash: hash}, err
}

// carryOut puts the rebuilt log in place, in one step, says in a transaction of it what
// was done, and finishes what any start finishes.
func (r *repair) carryOut(rec *workdir.Recovery) (err error) {
	st := r.st
	if err := st.Dir.Prepare(rec); err != nil {
		return err
	}
	if st.Log, err = r.salvage.Begin(st.Dir.Disk, st.Dir.Root); err != nil {
		return err
	}
	defer st.Log.Close()
	notes := r.found
	if more := len(notes) - maxNotes; more > 0 {
		notes = append(notes[:maxNotes:maxNotes], fmt.Sprintf("and %d more", more))
	}
	c := &txlog.Commit{Notes: append([]string{"repaired"}, notes...)}
	st.number(c)
	if err := st.Log.Append(c); err != nil {
		return err
	}
	if err := st.layout(); err != nil {
		return err
	}
	return st.Dir.Recover(rec, st.Log)
}
