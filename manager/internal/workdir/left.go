package workdir

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// removeTree removes a directory and everything below it. It leaves what cannot be removed:
// immutable files, and mounts, which it never enters. If a stage has left directories without
// permissions, removeTree changes their permissions first.
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
		remove := d.Disk.Remove
		if e.IsDir() {
			remove = d.removeTree
		}
		err2 := remove(filepath.Join(dir, e.Name()))
		if err = errors.Join(err, err2); err2 != nil && !stays(err2) {
			break
		}
	}
	return err
}

// unmounted returns an error if something is mounted on a directory, because its content is not the
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

// stays reports whether an error of a removal, or each of several joined errors, means that a file
// cannot be removed in its present state. Any other error means that the machine has failed.
func stays(err error) bool {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		for _, err := range all.Unwrap() {
			if !stays(err) {
				return false
			}
		}
		return true
	}
	var errno syscall.Errno
	return errors.As(err, &errno) && slices.Contains([]syscall.Errno{
		syscall.EPERM, syscall.EACCES, syscall.EBUSY, syscall.ENOTEMPTY, syscall.EROFS}, errno)
}

// Leave drops the error of a removal if it means that a file stays, and warns once. Such a file is
// not live any more, and each start tries again to remove it.
func (d *Dir) Leave(err error) error {
	if err == nil || !stays(err) || d.warn == nil {
		return err
	}
	if text := err.Error(); !d.said[text] {
		d.warn("it cannot be removed; remove it by hand: " + text)
		if d.said == nil {
			d.said = map[string]bool{}
		}
		d.said[text] = true
	}
	return nil
}
