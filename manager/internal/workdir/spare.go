package workdir

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// A spare is what a committed run leaves for the next of its stage: work/T with the
// directories that Begin made, all of them empty, and stderr if nothing stands in it.
// To rename it costs less than to remove five entries and to make them again, above all
// on a file system that looks at each inode which was freed of late before it gives out
// one, as ext4 does without a journal.
//
// It is handed on by a rename, of which nothing is durable: nor need be what the last
// run's outputs left it by. So after a power cut an output of T may lie under another
// number, and is looked for there; see unplaced.

// Strip makes a spare of work/T, the run file first, and reports whether it could. A
// stage may have removed a directory, closed it, put a link in its place, or filled it so
// that it stays long; or it has made a folder among its outputs, whose name, other than a
// batch's, may come again: were the second one durable before an output had left the first,
// that output would be lost. Then work/T is removed.
func (tx *Tx) Strip() (spare bool, err error) {
	if err := tx.dir.Disk.Remove(tx.File("run")); err != nil {
		return false, tx.dir.Clear(tx.Number)
	}
	if spare, err = tx.strip(); spare || err != nil {
		return spare, err
	}
	return false, tx.dir.Clear(tx.Number)
}

func (tx *Tx) strip() (spare bool, err error) {
	made := map[string]bool{}
	for _, name := range tx.made {
		made[name] = true
	}
	tx.stderr = false
	for _, name := range tx.made {
		if !tx.asMade(name) {
			return false, nil
		}
		entries, err := os.ReadDir(tx.File(name))
		if err != nil {
			return false, nil
		}
		for _, e := range entries {
			path := filepath.Join(name, e.Name())
			switch {
			case made[path]:
			case path == "stderr" && tx.unused(path):
				tx.stderr = true
			case e.IsDir() && name != tmpDir:
				return false, nil
			default:
				if err := tx.dir.removeEntry(tx.File(name), e); err != nil {
					return false, nil // Clear says what it is
				}
			}
		}
	}
	return true, nil
}

// longDir is the size in bytes above which a directory is not handed on: on some file
// systems one that has held many files stays long, and slow to list, when they are gone.
const longDir = 64 << 10

// asMade reports whether a path is a directory with the mode and owner that Begin gave it.
func (tx *Tx) asMade(name string) bool {
	var is unix.Stat_t
	return unix.Lstat(tx.File(name), &is) == nil && is.Mode == tx.as.Mode && tx.sameOwner(&is) && is.Size <= longDir
}

// unused reports whether a stderr is as it was made: what a stage has linked elsewhere is
// not written to by another run.
func (tx *Tx) unused(name string) bool {
	var is unix.Stat_t
	return unix.Lstat(tx.File(name), &is) == nil && is.Size == 0 && is.Nlink == 1 && tx.sameOwner(&is) &&
		is.Mode == unix.S_IFREG|tx.as.Mode&0o666
}

func (tx *Tx) sameOwner(is *unix.Stat_t) bool { return is.Uid == tx.as.Uid && is.Gid == tx.as.Gid }

// HandOn gives a spare to the next run of the stage.
func (tx *Tx) HandOn(number uint64) (*Tx, error) {
	next := *tx
	next.Number, next.Path = number, filepath.Join(tx.dir.Root, workDir, txlog.TxDir(number))
	return &next, tx.dir.Disk.Rename(tx.Path, next.Path)
}

// unplaced finds a committed file that is not in its place, which is to say the number of
// the directory under work/ that it lies in: its transaction's, or that of a later run to
// which this was handed on. No two files ever have the same name, so there is one at most.
// Where one cannot be looked at, and it is in no other, that is the error.
func (d *Dir) unplaced(name txlog.Name, works []uint64) (tx uint64, ok bool, err error) {
	for i, tx := range append([]uint64{name.Tx()}, works...) {
		if i > 0 && tx == name.Tx() {
			continue
		}
		_, err2 := os.Lstat(filepath.Join(d.Root, workDir, txlog.TxDir(tx), string(name)))
		if err2 == nil {
			return tx, true, nil
		}
		if !fault.Absent(err2) {
			err = errors.Join(err, err2)
		}
	}
	return 0, false, err
}
