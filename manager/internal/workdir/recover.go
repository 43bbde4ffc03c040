package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"multitext/txlog"
)

// A Recovery is what a start finds and would do; [Examine] only looks.
//
// # What a start may find
//
// A manager that ends at any instant leaves one of these states, or several at once. In all of them
// the next start does what stands here and goes on. A test of the manager makes each of them.
//
//	nothing        no directory, or an empty one: the crawl is born
//	secret-only    a secret and no log: it is born, with that secret
//	half-born      a secret or a first log under a temporary name: removed, and it is born
//	born           a secret, a log and nothing else: the directories are made
//	no-secret      a log and no secret, as of a crawl that an earlier manager has begun: none
//	               is made; a stage whose state was made with one says that it is gone
//	settled        every live file in its place: nothing is to be done
//	torn           a log that ends within a line: that line never was
//	log-temp       a next log under a temporary name: removed
//	history-temp   a copy of a log or script under a temporary name: removed
//	sealed         the copy of a log in history/ that is still in use: made again
//	prepared       work/T without run and without a line: cleared away
//	running        work/T with run: rolled back, its inputs wait again
//	ended          the same with whole outputs and a report: rolled back as well
//	committed      outputs and segment of a committed T in work/T, its inputs still
//	               there: put in their places, then the inputs are removed
//	half-placed    some of them in their places already: the others follow
//	placed         all in place, a consumed input still there: it is removed
//	replaced       a segment whose place another has taken: it is removed
//	dropped        a batch that a request dropped: it is removed, and so is the request
//	exported       an exported batch in work/T: put in its place
//	given-away     the same of a queue that was exported since
//	fetched        an exported batch that is nowhere: another machine has it
//	far            an exported batch of a folder in work/T, and no such folder: it is
//	               made, and the batch put into it
//	far-made       the same, and the folder is there
//	far-fetched    such a batch and its folder are nowhere
//	half-cleared   work/T of a T whose end is in the log: cleared away
//	asked          a request in inbox/ that no line answers: it is answered
//	half-asked     a request under a hidden name: cleared away
//	answered       a request that a line answers: removed, not answered again
//	set-aside      a batch that its reader has given up: it stays, exit code 1
//	foreign        files that the log does not know, in queues and in work/: left alone
//
// # What a start refuses
//
// No crash leaves these. Nothing is changed, and the exit code is the one given.
//
//	held           another manager is alive: 3
//	no-log         files and no log: 5; it never means that nothing is live
//	no-end         a log whose checkpoint is not whole, or that is empty: 5
//	middle         a bad line with others behind it: 5
//	behind         a name in a queue, a state or failed/ with a number that the log never
//	               gave out, or a later log in history/: 5
//	gone           a live file that a stage is to read neither in its place nor under
//	               work/: 5
//	resized        such a file of another size: 5
//	no-file        something else under its name: 5
//	unnamed        live batches of a queue that the script does not name: 2
//
// A start that cannot look at a file, as for a bad sector, changes nothing either: the file may be
// there. It names the error and ends with 6. If a product, or a batch that was set aside, is gone,
// a start names it, goes on, and ends with 1; manager drop removes it from the log. A live file of
// the right size with other bytes passes: only manager verify reads it.
type Recovery struct {
	State *txlog.State
	Torn  []byte // the incomplete end of the log
	Born  bool   // the directory is new

	Lost     []Lost       // live files that are missing or have another size
	Place    []txlog.Name // committed files that still have to be renamed into their queues
	Remove   []txlog.Name // files that are not live any more and still exist
	Requests []string     // answered requests that are still in inbox/
	RollBack []Unfinished // runs that did not commit
	Leftover []uint64     // work directories of runs that ended, to be deleted
	Halves   []string     // requests in inbox/ that were cut off or are being written
	Temps    []string     // relative paths of temporary files of interrupted replacements
}

// A Lost is a live file that is missing or not the one in the log.
type Lost struct {
	Name txlog.Name
	What string // for instance "is gone"
}

func (l Lost) String() string { return string(l.Name) + " " + l.What }

// An Unfinished is a run that was in progress when its manager ended.
type Unfinished struct {
	Tx  uint64
	Run RunFile
}

// ErrForeign is the error that a directory contains files but no log.
var ErrForeign = errors.New("the directory holds files but no transaction log; " +
	"a crawl never begins in a directory with files in it. Move them away, or use another dir. " +
	"If a crawl has lost its log, manager repair rebuilds it")

// Examine determines what a start would do in a crawl's directory. It changes nothing and takes no
// lock. The error is ErrForeign, a *Behind, a *txlog.Damage, or wraps an error of reading. Lost
// files are no error here.
func Examine(root string) (*Recovery, error) {
	d := &Dir{Root: root}
	f, err := os.Open(d.LogPath())
	if errors.Is(err, fs.ErrNotExist) {
		return examineNew(root)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	works, err := d.works()
	if err != nil {
		return nil, err
	}
	ended := map[uint64]bool{} // transactions that have a directory and have ended
	rp, err := txlog.Read(f, func(r txlog.Record) error {
		if slices.Contains(works, r.Number()) {
			ended[r.Number()] = true
		}
		return nil
	})
	if damage := (*txlog.Damage)(nil); errors.As(err, &damage) {
		return nil, fmt.Errorf("%s: %w; put a copy back, or let manager repair rebuild it", d.LogPath(), err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.LogPath(), err)
	}
	if err := d.behind(rp); err != nil {
		return nil, err
	}
	return examine(d, rp, works, ended)
}

// ExamineState does the same as Examine, for a state that was rebuilt.
func ExamineState(root string, state *txlog.State) (*Recovery, error) {
	d := &Dir{Root: root}
	works, err := d.works()
	if err != nil {
		return nil, err
	}
	return examine(d, &txlog.Replay{State: state}, works, nil)
}

func examine(d *Dir, rp *txlog.Replay, works []uint64, ended map[uint64]bool) (*Recovery, error) {
	rec := &Recovery{State: rp.State, Torn: rp.Torn}
	if err := rec.findLive(d); err != nil {
		return nil, fmt.Errorf("look for the live files of %s: %w", d.Root, err)
	}
	rec.findGone(d)
	rec.findTemps(d)
	rec.Halves = d.halves()
	rec.sortWork(d, works, ended)
	return rec, nil
}

// examineNew accepts a directory that contains only files that a start creates before the log.
func examineNew(root string) (*Recovery, error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != secretFile && !temporary.MatchString(e.Name()) {
			return nil, fmt.Errorf("%s: %w (%s is there)", root, ErrForeign, e.Name())
		}
	}
	rec := &Recovery{State: txlog.NewState(""), Born: true}
	rec.findTemps(&Dir{Root: root})
	return rec, nil
}

// works lists the transactions that have a directory under work/.
func (d *Dir) works() ([]uint64, error) {
	entries, err := os.ReadDir(d.Path(workDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var works []uint64
	for _, e := range entries {
		if tx, err := strconv.ParseUint(e.Name(), 10, 64); err == nil && e.IsDir() && txlog.TxDir(tx) == e.Name() {
			works = append(works, tx)
		}
	}
	return works, nil
}

// sortWork distinguishes the work directories of interrupted runs from those of runs whose end is
// in the log. The run file of the latter is deleted first, so a directory without a run file is
// always a leftover.
func (rec *Recovery) sortWork(d *Dir, works []uint64, ended map[uint64]bool) {
	for _, tx := range works {
		rec.State.Reserve(tx)
		if run, ok := ReadRun(d.Root, tx); ok && !ended[tx] {
			rec.RollBack = append(rec.RollBack, Unfinished{tx, run})
		} else {
			rec.Leftover = append(rec.Leftover, tx)
		}
	}
}

// Prepare does the part of a recovery that must be done before a new log begins, because the new
// log does not contain the transactions that have ended.
func (d *Dir) Prepare(rec *Recovery) error {
	if rec.Born {
		//failpoint:late-secret return nil
		return d.makeSecret()
	}
	for _, tx := range rec.Leftover {
		if err := d.Disk.Remove(filepath.Join(d.Root, workDir, txlog.TxDir(tx), "run")); err != nil && !stays(err) {
			return err
		}
	}
	return nil
}

// Recover makes the directory match the log, after the log was begun anew. It renames files first,
// then removes files, then empties work/. Each step may be interrupted and is then repeated.
// Recover removes no batch before the log is written. So if the disk is full, the start exits with
// code 6, and the crawl is unchanged.
func (d *Dir) Recover(rec *Recovery, log *txlog.Log) error {
	for _, name := range rec.Place {
		//failpoint:renames-not-redone break
		if err := d.Place(name); err != nil {
			return err
		}
		log.Done(name)
	}
	for name := range rec.State.ToPlace() {
		log.Done(name)
	}
	left := map[txlog.Name]bool{}
	for _, name := range rec.Remove {
		//failpoint:removals-not-redone break
		err := d.Remove(name)
		if left[name] = err != nil; d.Leave(err) != nil {
			return err
		}
	}
	for name := range rec.State.ToRemove() {
		if !left[name] {
			log.Done(name)
		}
	}
	for id := range rec.State.ToClear() {
		if err := d.RemoveRequest(id); err == nil {
			log.DoneRequest(id)
		} else if d.Leave(err) != nil {
			return err
		}
	}
	for _, name := range rec.Temps {
		if err := d.Disk.Remove(d.Path(name)); err != nil {
			return err
		}
	}
	if err := d.clearHalves(); err != nil {
		return err
	}
	//failpoint:late-secret if rec.Born { return d.makeSecret() }
	return d.emptyWork()
}

// emptyWork removes the directories of all transactions, and nothing else.
func (d *Dir) emptyWork() error {
	works, err := d.works()
	for _, tx := range works {
		if err := d.Leave(d.removeTree(filepath.Join(d.Root, workDir, txlog.TxDir(tx)))); err != nil {
			return err
		}
	}
	return err
}
