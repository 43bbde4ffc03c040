package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"multitext/manager/internal/fault"
	"multitext/txlog"
)

// Names within a crawl's directory.
const (
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

	warn func(string)    // is told what could not be removed; nil: that is an error
	said map[string]bool // what it was told

	folders map[string]bool // of exported queues, known to be durable
}

// Open makes the directory if it does not exist. It refuses one that is another user's or that
// others may write, and one on NFS. warn is called with what the user should know of it.
func Open(root string, disk txlog.Disk, warn func(string)) (*Dir, error) {
	if err := makeDirs(disk, root); err != nil {
		return nil, err
	}
	info, err := os.Stat(root)
	if err != nil && !fault.Absent(err) {
		return nil, fmt.Errorf("look at dir: %w", err)
	}
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("dir is %s, which is no directory; move it away, or name another", root)
	}
	if err := checkOwner(root, info, warn); err != nil {
		return nil, err
	}
	return &Dir{Root: root, Disk: disk, warn: warn}, checkFileSystem(root, warn)
}

// makeDirs makes a directory and those above it that are not there, durably.
func makeDirs(disk txlog.Disk, path string) error {
	up := filepath.Dir(path)
	if _, err := os.Stat(up); errors.Is(err, fs.ErrNotExist) && up != path {
		if err := makeDirs(disk, up); err != nil {
			return err
		}
	}
	if err := disk.Mkdir(path); err != nil {
		return err
	}
	//failpoint:crawl-not-synced return nil
	return disk.Sync(up)
}

// Free is the number of bytes free to the user where a crawl's directory lies, or will lie.
func Free(root string) int64 {
	var st unix.Statfs_t
	err := unix.Statfs(root, &st)
	for ; err == unix.ENOENT && filepath.Dir(root) != root; err = unix.Statfs(root, &st) {
		root = filepath.Dir(root)
	}
	if err != nil {
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

// FailedPath is where the end of stderr of a transaction is kept.
func (d *Dir) FailedPath(tx uint64) string {
	return filepath.Join(d.Root, failedDir, txlog.TxDir(tx))
}

// SegmentDir is the directory of a state, as segments are named by.
func SegmentDir(state string) string { return stateDir + "/" + state }

// Layout makes the directories that a crawl with these queues and states needs. It refuses one that
// lies on another file system or mount, from which batches could not be renamed.
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
		if err := d.movable(d.Path(name), 0); err != nil {
			return err
		}
	}
	//failpoint:queues-not-synced return nil
	return errors.Join(d.Disk.Sync(d.Path(stateDir)), d.Disk.Sync(d.Root))
}

// layFolder makes a folder of an exported queue. It is durable before anything is put into it: a
// checkpoint syncs the folder and forgets what was put there, and does not know the directory
// above. Other machines may write in the queue, so a link in the folder's place is not followed: it
// may lead anywhere. Whatever is in the way, as a link, is named, and the manager ends.
func (d *Dir) layFolder(name string) error {
	info, err := os.Lstat(d.Path(name))
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is no directory; move it away", d.Path(name))
	case err == nil && d.folders[name]:
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := d.Disk.Mkdir(d.Path(name)); err != nil {
		return err
	}
	if err := d.movable(d.Path(name), 0); err != nil {
		return err
	}
	//failpoint:folder-not-synced return nil
	if err := d.Disk.Sync(d.Path(filepath.Dir(name))); err != nil {
		return err
	}
	if d.folders == nil {
		d.folders = map[string]bool{}
	}
	d.folders[name] = true
	return nil
}
