package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Behind is the error that the directory contains something newer than the log: a number in a
// queue, a state or failed/ that the log never gave out, or a later log in history/. Either the log
// has lost its end, or somebody replaced it by an older copy. If there is no such evidence, the
// runs that the log has lost have left nothing, and are repeated.
type Behind struct {
	Root     string
	Evidence []string
}

func (b *Behind) Error() string {
	return fmt.Sprintf("%s: the log has lost its end, or is an older copy; nothing was changed, "+
		"because its numbers would be used again:\n  %s\nPut the newest log back; or let manager repair rebuild it; "+
		"or, if a file that is named is not the crawl's, move it away", b.Root, strings.Join(b.Evidence, "\n  "))
}

// behind returns a *Behind if there is evidence. A running manager may commit between reading the
// log and reading the directories. So evidence counts only if the log has not changed in the
// meantime. If it has changed, a manager runs, and its start found no evidence.
func (d *Dir) behind(rp *txlog.Replay) error {
	b, err := d.evidence(rp)
	if err != nil || len(b.Evidence) == 0 {
		return err
	}
	again, err := txlog.Load(d.LogPath())
	if err != nil {
		return fmt.Errorf("%s: %w", d.LogPath(), err)
	}
	if again.State.Generation() == rp.State.Generation() && again.Size == rp.Size {
		return b
	}
	return nil
}

func (d *Dir) evidence(rp *txlog.Replay) (*Behind, error) {
	b := &Behind{Root: d.Root}
	later, err := txlog.Later(d.Root, rp)
	if err != nil {
		return nil, fmt.Errorf("compare the log with %s: %w", d.Path(txlog.HistoryDir), err)
	}
	if later != "" {
		b.Evidence = append(b.Evidence, later)
	}
	entries, err := os.ReadDir(d.Root)
	for _, e := range entries {
		switch name := e.Name(); {
		case !e.IsDir(), name == workDir, name == txlog.HistoryDir, name == txlog.InboxDir:
		default:
			err = errors.Join(err, b.find(d, name, rp.State.Next()))
		}
	}
	return b, err
}

// Above lists the files of a queue or state whose numbers the log never gave out.
func (d *Dir) Above(dir string, next uint64) (names []txlog.Name, err error) {
	entries, err := os.ReadDir(d.Path(dir))
	if fault.Absent(err) {
		return nil, nil
	}
	for _, e := range entries {
		tx, _, _, ok := txlog.ParseFileName(e.Name())
		if ok && e.Type().IsRegular() && tx >= next && tx < next+txlog.MaxLost {
			names = append(names, txlog.Name(dir+"/"+e.Name()))
		}
	}
	return names, err
}

// find searches a directory in which files are named only after the line of their transaction is
// durable: a queue, even if it is not in the log, or a folder of it; a state; failed/. It returns
// the file with the highest number. It ignores files of other users, which a peer may have put into
// a folder that is open to it.
func (b *Behind) find(d *Dir, dir string, next uint64) error {
	//failpoint:number-reused return nil
	entries, err := os.ReadDir(d.Path(dir))
	if err != nil && !fault.Absent(err) {
		return err
	}
	var most uint64
	var file string
	for _, e := range entries {
		if tx := numberOf(e.Name()); tx >= max(next, most) && tx < next+txlog.MaxLost && mine(e) {
			most, file = tx, e.Name()
		} else if e.IsDir() && filepath.Dir(dir) == "." && txlog.IsFolder(e.Name()) {
			err := b.find(d, dir+"/"+e.Name(), next)
			if err != nil && !errors.Is(err, fs.ErrPermission) { // a closed directory belongs to somebody else
				return err
			}
		}
	}
	if most > 0 {
		b.Evidence = append(b.Evidence,
			fmt.Sprintf("%s/%s has a number that the log never gave out: its next is %d", dir, file, next))
	}
	return nil
}

func mine(e fs.DirEntry) bool {
	info, err := e.Info()
	return err != nil || int(info.Sys().(*syscall.Stat_t).Uid) == os.Geteuid()
}

// numberOf returns the transaction in the name of a batch, a segment or a stored stderr. It returns
// 0 for any other name.
func numberOf(name string) uint64 {
	if tx, _, _, ok := txlog.ParseFileName(name); ok {
		return tx
	}
	if tx, err := strconv.ParseUint(name, 10, 64); err == nil && txlog.TxDir(tx) == name {
		return tx
	}
	return 0
}
