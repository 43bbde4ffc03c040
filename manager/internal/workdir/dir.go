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

// Names in a crawl's directory.
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

	warn func(string)    // gets warnings about files that could not be removed; if nil, they are errors
	said map[string]bool // the warnings that were given

	folders map[string]bool // of exported queues, known to be durable
}

// Open opens the directory, and creates it if it does not exist. It refuses a directory of another
// user, one that other users may write, and one on NFS. It passes warnings for the user to warn.
func Open(root string, disk txlog.Disk, warn func(string)) (*Dir, error) {
	if err := makeDirs(disk, root); err != nil {
		return nil, err
	}
	info, err := os.Stat(root)
	if err != nil && !fault.Absent(err) {
		return nil, fmt.Errorf("stat dir: %w", err)
	}
	if err != nil || !info.IsDir() {
		return nil, fmt.Errorf("dir is %s, which is not a directory; move it away, or use another name", root)
	}
	if err := checkOwner(root, info, warn); err != nil {
		return nil, err
	}
	return &Dir{Root: root, Disk: disk, warn: warn}, checkFileSystem(root, warn)
}

// makeDirs creates a directory and its missing parents, durably.
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

// Free returns the number of bytes available to the user in the file system of a crawl's directory,
// which need not exist yet.
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

// Path returns the absolute path of a name in the directory.
func (d *Dir) Path(name string) string { return filepath.Join(d.Root, name) }

// LogPath returns the path of the log.
func (d *Dir) LogPath() string { return d.Path(txlog.LogFile) }

// ScriptPath returns the path of the script of the last start.
func (d *Dir) ScriptPath() string { return filepath.Join(d.Root, txlog.HistoryDir, scriptFile) }

// FailedPath returns the path of the stored end of the stderr of a transaction.
func (d *Dir) FailedPath(tx uint64) string {
	return filepath.Join(d.Root, failedDir, txlog.TxDir(tx))
}

// SegmentDir returns the directory of a state, as in the names of segments.
func SegmentDir(state string) string { return stateDir + "/" + state }

// Layout creates the directories that a crawl with these queues and states needs. It refuses a
// directory on another file system or mount, because batches could not be renamed from or to it.
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

// layFolder creates a folder of an exported queue. The folder is durable before it gets a file,
// because a checkpoint syncs only the folder and not the directory above it. Other machines may
// write in the queue. So layFolder does not follow a link in place of the folder, which may lead
// anywhere. It returns an error that names whatever is in the way.
func (d *Dir) layFolder(name string) error {
	info, err := os.Lstat(d.Path(name))
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a directory; move it away", d.Path(name))
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
