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

// A Recovery is what a start finds and would do; Examine only looks.
type Recovery struct {
	State *txlog.State
	Torn  []byte // the end of the log, cut off in the middle of a write
	Born  bool   // the directory is new

	Missing  []string     // live files that are not there with their size, in words
	Lost     []txlog.Name // the same, by name
	Place    []txlog.Name // committed files still to be renamed into their place
	Remove   []txlog.Name // files that left the live set and are still there
	Requests []string     // answered requests that are still in inbox/
	RollBack []Unfinished // runs that did not commit
	Leftover []uint64     // work directories of runs that ended, to be cleared away
	Halves   []string     // requests that were cut off, or are being written, in inbox/
	Temps    []string     // what an atomic replacement that was cut off left behind, relative
}

// An Unfinished run was under way when its manager ended.
type Unfinished struct {
	Tx  uint64
	Run RunFile
}

// ErrForeign says that a directory holds something but no log.
var ErrForeign = errors.New("the directory holds files but no transaction log; a crawl never begins in a directory with something in it. Move them away, or name another dir. Of a crawl that has lost its log, manager repair rebuilds it")

// Examine finds out what a start would do in a crawl's directory. It changes
// nothing and takes no lock. The error is ErrForeign, a *Behind, a *txlog.Damage, or
// wraps what reading returned; missing files are no error here.
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
	ended := map[uint64]bool{} // of those that have left a directory
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

// ExamineState is Examine for a state that was rebuilt.
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

// examineNew accepts a directory that holds nothing but what a start leaves
// before its log is born.
func examineNew(root string) (*Recovery, error) {
	entries, err := os.ReadDir(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() != secretFile && !temporary().MatchString(e.Name()) {
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

// sortWork tells the work directories of runs that were cut off from those of
// runs whose end is in the log. The latter lose their run file first, so that a
// directory without one is always such a leftover.
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

// Prepare is the part of a recovery that comes before the log is begun anew and
// forgets which transactions have ended, or is begun at all.
func (d *Dir) Prepare(rec *Recovery) error {
	if rec.Born {
		return d.makeSecret()
	}
	for _, tx := range rec.Leftover {
		if err := d.Disk.Remove(filepath.Join(d.Root, workDir, txlog.TxDir(tx), "run")); err != nil && !stays(err) {
			return err
		}
	}
	return nil
}

// Recover makes the directory what the log says, after its log was begun anew:
// renames first, then removals, then work/ is emptied. Each step may be cut off
// and is then done again.
func (d *Dir) Recover(rec *Recovery, log *txlog.Log) error {
	for _, name := range rec.Place {
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
