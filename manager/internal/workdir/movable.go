package workdir

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"multitext/txlog"
)

// Unmovable is the error that a stage left an output where it cannot be renamed into its queue.
type Unmovable struct{ error }

// Unwrap implements errors.Unwrap.
func (u *Unmovable) Unwrap() error { return u.error }

// sound returns an error if outputs could not be moved to their queues after the commit. If the
// stage put a link or a mount on the way to an output, the error is an *Unmovable. Otherwise
// something was mounted on a queue or put in its place since the start. sound creates a folder of a
// queue for its first batch.
func (tx *Tx) sound(names []txlog.Name) error {
	dirs := tx.withOutputs(names)
	from := []string{tx.dir.Path(workDir)}
	for _, dir := range dirs {
		from = append(from, tx.File(dir))
	}
	for _, name := range names {
		from = append(from, tx.File(string(name)))
	}
	for _, path := range from {
		err := tx.dir.movable(path, unix.AT_SYMLINK_NOFOLLOW)
		if looked := new(fs.PathError); errors.As(err, &looked) {
			return err
		} else if err != nil {
			return &Unmovable{err}
		}
	}
	for _, dir := range dirs {
		if err := tx.dir.movable(tx.dir.Path(dir), 0); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// movable returns an error if a directory cannot be renamed to or from the crawl's directory; with
// unix.AT_SYMLINK_NOFOLLOW this also works for a file. The reason is that it is on another file
// system or mount, or is a link. A bind mount of the same disk is another mount, too. movable
// compares both the mount and the device, because a bind mount has the same device, and kernels
// before 5.8 do not report the mount. The device of a file on an overlay means nothing.
func (d *Dir) movable(path string, flags int) error {
	root, err := statx(d.Root, 0)
	if err != nil {
		return err
	}
	is, err := statx(path, flags)
	if err != nil {
		return err
	}
	dir := is.Mode&unix.S_IFMT == unix.S_IFDIR
	switch {
	case is.Mode&unix.S_IFMT == unix.S_IFLNK:
		return fmt.Errorf("%s is a symbolic link; outputs must stay in the folder that was made for them", path)
	case !dir && flags == 0:
		return fmt.Errorf("%s is not a directory; move it away", path)
	case is.Mnt_id != root.Mnt_id, dir && (is.Dev_major != root.Dev_major || is.Dev_minor != root.Dev_minor):
		return fmt.Errorf("%s is on another file system or mount than %s, and batches are renamed between them; "+
			"put all of dir on one, and mount nothing in it", path, d.Root)
	}
	return nil
}

func statx(path string, flags int) (is unix.Statx_t, err error) {
	if err := unix.Statx(unix.AT_FDCWD, path, flags, unix.STATX_TYPE|unix.STATX_MNT_ID, &is); err != nil {
		return is, &fs.PathError{Op: "statx", Path: path, Err: err}
	}
	return is, nil
}
