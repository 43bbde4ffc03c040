package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// removeTree removes a directory and all below it, through the Disk, but for what stays:
// a file that is immutable, or a mount, which is never entered. The rest goes all the
// same. A stage may have left directories in which it allows nothing; they are opened
// first.
func (d *Dir) removeTree(path string) error {
	if err := d.unmounted(path); err != nil {
		return err
	}
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Perm()&0o700 != 0o700 {
		if err := os.Chmod(path, 0o700); err != nil {
			return err
		}
		return d.removeTree(path)
	}
	if err != nil {
		return err
	}
	if err := d.removeEntries(path, entries); err != nil {
		return err
	}
	return d.Disk.Remove(path)
}

func (d *Dir) removeEntries(dir string, entries []fs.DirEntry) (err error) {
	for _, e := range entries {
		err2 := d.removeEntry(dir, e)
		if err = errors.Join(err, err2); err2 != nil && !stays(err2) {
			break
		}
	}
	return err
}

func (d *Dir) removeEntry(dir string, e fs.DirEntry) error {
	path := filepath.Join(dir, e.Name())
	if e.IsDir() {
		return d.removeTree(path)
	}
	return d.Disk.Remove(path)
}

// unmounted refuses a directory that something is mounted on: what is in it is not the
// crawl's.
func (d *Dir) unmounted(path string) error {
	err := d.movable(path, unix.AT_SYMLINK_NOFOLLOW)
	var looked *fs.PathError
	if err == nil || errors.As(err, &looked) && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if looked != nil {
		return err
	}
	return &fs.PathError{Op: "remove the mount", Path: path, Err: syscall.EBUSY}
}

// stays reports whether an error of a removal, or each of several, says that something
// cannot be removed as it is, and not that the machine has failed.
func stays(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			if !stays(err) {
				return false
			}
		}
		return true
	}
	for _, errno := range []syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.EBUSY, syscall.ENOTEMPTY, syscall.EROFS} {
		if errors.Is(err, errno) {
			return true
		}
	}
	return false
}

// Leave passes over what stays, and says so once: it counts no more, and each start tries
// again. One such file must not keep the crawl from going on.
func (d *Dir) Leave(err error) error {
	if err == nil || !stays(err) || d.warn == nil {
		return err
	}
	if text := err.Error(); !d.said[text] {
		d.warn("left lying, as it cannot be removed; remove it by hand: " + text)
		if d.said == nil {
			d.said = map[string]bool{}
		}
		d.said[text] = true
	}
	return nil
}
