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

// maxNotes is the maximum number of notes in the transaction of a repair. The function say gets all
// notes.
const maxNotes = 1000

// A repair rebuilds a crawl whose log was damaged, lost, or replaced by an older copy.
type repair struct {
	st      *Store
	salvage *txlog.Salvage
	found   []string
}

// Repair writes a new log. The log contains what the old log, history/ and the files in queues and
// states still prove. Repair reports this, and what it cannot know. It does not change a log that a
// start would accept. If dry is set, it only reports.
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
		say("the log is whole, and nothing was changed; manager recover -n prints which files are lost, " +
			"and manager drop removes them")
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
	r.tell("repair cannot know which batches a lost transaction read, how many records it counted, which batches it " +
		"exported, and what was added, dropped or set aside; the crawl may repeat some of this work")
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

// fit changes the rebuilt state so that it matches the files. A file that only a lost transaction
// can have written becomes its output or segment; it is complete, as every file in a queue is. A
// live file that is missing was read, replaced by a lost transaction, or lost.
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
		r.tell("drop %s: a lost transaction has read or replaced it, or it is lost", lost)
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
		r.tell("add %s, %d bytes, which lost transaction %d wrote", name, o.Size, name.Tx())
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

// carryOut puts the rebuilt log in place, atomically. It logs the repair as a transaction, and
// completes what every start completes.
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
