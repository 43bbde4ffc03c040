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

// A Recovery is what a start finds, and what it would do. [Examine] changes nothing.
//
// # What a start may find
//
// A manager that ends at any instant leaves one or several of these states. In each of them the
// next start does what this table says, and continues. A test of the manager creates each state.
//
//	nothing        no directory, or an empty one: a new crawl begins
//	secret-only    a secret and no log: a new crawl begins with that secret
//	half-born      a secret or a first log under a temporary name: the start removes it and
//	               begins a new crawl
//	born           a secret, a log and nothing else: the start creates the directories
//	no-secret      a log and no secret, because an earlier version of the manager began the
//	               crawl: the start creates no secret; if the state of a stage was made
//	               with a secret, the stage reports that the secret is missing
//	settled        every live file in its place: nothing is to be done
//	torn           a log that ends within a line: the line does not count
//	log-temp       a next log under a temporary name: it is removed
//	history-temp   a copy of a log or script under a temporary name: it is removed
//	sealed         a copy in history/ of the log that is still in use: it is made again
//	prepared       work/T without run and without a line: it is removed
//	running        work/T with run: the run is rolled back, and its inputs wait again
//	ended          the same with complete outputs and a report: also rolled back
//	committed      outputs and segment of a committed T in work/T, its inputs not yet
//	               removed: the outputs are moved, then the inputs are removed
//	half-placed    some outputs of a committed T are moved already: the others follow
//	placed         all outputs are moved, and a consumed input exists: it is removed
//	replaced       a segment that another segment has replaced: it is removed
//	dropped        a batch that a request dropped: the batch and the request are removed
//	exported       an exported batch in work/T: it is moved to its queue
//	given-away     the same, for a queue that was exported later
//	fetched        an exported batch that does not exist: another machine has it
//	far            an exported batch of a folder in work/T, and the folder does not exist:
//	               the folder is created, and the batch is moved into it
//	far-made       the same, and the folder exists
//	far-fetched    neither such a batch nor its folder exists
//	half-cleared   work/T of a T whose end is in the log: it is removed
//	asked          a request in inbox/ that no line answers: it is answered
//	half-asked     a request under a hidden name: it is removed
//	answered       a request that a line answers: it is removed and not answered again
//	set-aside      a batch that its reader has set aside: it stays, exit code 1
//	foreign        files that are not in the log, in queues and in work/: they stay
//
// # What a start refuses
//
// No crash leaves these states. A start changes nothing and exits with the code given here.
//
//	held           another manager is alive: 3
//	no-log         files and no log: 5; a missing log never means that nothing is live
//	no-end         a log that is empty or has an incomplete checkpoint: 5
//	middle         a bad line with other lines after it: 5
//	behind         a name in a queue, a state or failed/ with a number that the log never
//	               gave out, or a later log in history/: 5
//	gone           a live file that a stage has yet to read, neither in its place nor
//	               under work/: 5
//	resized        such a file of another size: 5
//	no-file        something that is not a file under its name: 5
//	unnamed        live batches of a queue that the script does not name: 2
//
// If a start cannot stat a file, for instance because of a bad sector, it changes nothing either,
// because the file may exist. It prints the error and exits with code 6. If a product or a batch
// that was set aside is missing, a start prints its name, continues, and exits with code 1; manager
// drop removes it from the log. A start does not detect changed bytes in a live file of the right
// size: only manager verify reads the file.
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
