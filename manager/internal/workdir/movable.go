package workdir

import (
	"errors"
	"fmt"
	"io/fs"

	"golang.org/x/sys/unix"

	"multitext/txlog"
)

// Unmovable is the error of a stage that left an output where it cannot be renamed into its queue.
type Unmovable struct{ error }

// Unwrap implements errors.Unwrap.
func (u *Unmovable) Unwrap() error { return u.error }

// sound refuses outputs that could not be put in their place after the commit. If the stage put a
// link or a mount on the way to one, the error is an *Unmovable. Otherwise something was mounted on
// a queue since the start, or put in its place. A folder of a queue is made when its first batch
// comes.
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

// movable refuses a directory, or with unix.AT_SYMLINK_NOFOLLOW also a file, that cannot be renamed
// to or from the crawl's directory: it lies on another file system or mount, be it a bind mount of
// the same disk, or is a link. Both the mount and the device are compared: a bind mount has the
// same device, and kernels before 5.8 do not tell the mount. A file's device says nothing on an
// overlay.
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
		return fmt.Errorf("%s is a symbolic link; outputs are left in the folder that was made for them", path)
	case !dir && flags == 0:
		return fmt.Errorf("%s is no directory; move it away", path)
	case is.Mnt_id != root.Mnt_id, dir && (is.Dev_major != root.Dev_major || is.Dev_minor != root.Dev_minor):
		return fmt.Errorf("%s lies on another file system or mount than %s, and batches are renamed between them; "+
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
