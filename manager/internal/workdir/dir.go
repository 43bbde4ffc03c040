// Package workdir is a crawl's directory: its lock, the private directories of
// running transactions, and the moves that make a committed run's files appear
// and its inputs go.
//
//	lock          held by the manager and every process it started
//	log           the transaction log
//	history/      sealed logs, and the script of the last start
//	inbox/        requests of other verbs, each a directory with a random name
//	work/T/       transaction T under way: run, report, stderr, tmp/, and its
//	              outputs under the same names that they will have when committed
//	state/STATE/  segments
//	failed/T      the end of stderr of a run whose input was set aside
//	QUEUE/        batches; every file in it is whole and committed
//
// Every change goes through a txlog.Disk.
package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"multitext/txlog"
)

// Names within a crawl's directory.
const (
	lockFile   = "lock"
	workDir    = "work"
	stateDir   = "state"
	failedDir  = "failed"
	scriptFile = "script.toml"
)

// A Dir is a crawl's directory.
type Dir struct {
	Root string
	Disk txlog.Disk
	lock *os.File
}

// Open makes the directory if it is not there. warn is called with what the
// user should know of the file system it lies on.
func Open(root string, disk txlog.Disk, warn func(string)) (*Dir, error) {
	if err := os.MkdirAll(filepath.Dir(root), 0o777); err != nil {
		return nil, err
	}
	if err := disk.Mkdir(root); err != nil {
		return nil, err
	}
	if err := disk.Sync(filepath.Dir(root)); err != nil {
		return nil, err
	}
	return &Dir{Root: root, Disk: disk}, checkFileSystem(root, warn)
}

// Magic numbers of statfs(2).
const (
	magicNFS     = 0x6969
	magicOverlay = 0x794c7630
)

func checkFileSystem(root string, warn func(string)) error {
	var st unix.Statfs_t
	if err := unix.Statfs(root, &st); err != nil {
		return fmt.Errorf("statfs %s: %w", root, err)
	}
	switch int64(st.Type) {
	case magicNFS:
		return fmt.Errorf("%s lies on NFS, where neither locks nor renames hold what a crawl needs; put dir on a local disk", root)
	case magicOverlay:
		warn(root + " lies on an overlay file system; a local disk is safer")
	}
	return nil
}

// Free is the number of bytes free to the user where the directory lies.
func (d *Dir) Free() int64 {
	var st unix.Statfs_t
	if err := unix.Statfs(d.Root, &st); err != nil {
		return 0
	}
	return int64(st.Bavail) * st.Bsize
}

// Path is the absolute path of something in the directory.
func (d *Dir) Path(name string) string { return filepath.Join(d.Root, name) }

// LogPath is where the log lies.
func (d *Dir) LogPath() string { return d.Path(txlog.LogFile) }

// ScriptPath is where the script of the last start is kept.
func (d *Dir) ScriptPath() string { return filepath.Join(d.Root, txlog.HistoryDir, scriptFile) }

// InboxPath is where requests wait.
func (d *Dir) InboxPath() string { return d.Path(txlog.InboxDir) }

// FailedPath is where the end of stderr of a transaction is kept.
func (d *Dir) FailedPath(tx uint64) string {
	return filepath.Join(d.Root, failedDir, txlog.TxDir(tx))
}

// SegmentDir is the directory of a state, as segments are named by.
func SegmentDir(state string) string { return stateDir + "/" + state }

// Layout makes the directories that a crawl with these queues and states needs.
func (d *Dir) Layout(queues, states []string) error {
	dirs := []string{txlog.HistoryDir, txlog.InboxDir, workDir, stateDir, failedDir}
	dirs = append(dirs, queues...)
	for _, s := range states {
		dirs = append(dirs, SegmentDir(s))
	}
	for _, name := range dirs {
		if err := d.Disk.Mkdir(d.Path(name)); err != nil {
			return err
		}
	}
	return errors.Join(d.Disk.Sync(d.Path(stateDir)), d.Disk.Sync(d.Root))
}

// removeTree removes a directory and all below it, through the Disk.
func (d *Dir) removeTree(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		sub := filepath.Join(path, e.Name())
		if e.IsDir() {
			err = d.removeTree(sub)
		} else {
			err = d.Disk.Remove(sub)
		}
		if err != nil {
			return err
		}
	}
	return d.Disk.Remove(path)
}
