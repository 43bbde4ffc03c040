package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkOwner refuses a directory of another user, and one that other users may write, because they
// could add a log that starts any program. It warns about a directory that other users may open,
// because they could hold its lock.
func checkOwner(root string, info fs.FileInfo, warn func(string)) error {
	uid, me := info.Sys().(*syscall.Stat_t).Uid, os.Geteuid()
	switch perm := info.Mode().Perm(); {
	case int(uid) != me:
		return fmt.Errorf("dir %s belongs to user %d, and this is user %d; "+
			"run the manager as that user, or use another dir", root, uid, me)
	case perm&0o022 != 0:
		return fmt.Errorf("dir %s may be written by other users, who could put anything into the crawl; chmod go-w it",
			root)
	case perm&0o044 != 0:
		warn("warning: other users may open " + root + ", and could so keep every manager from it; " +
			"chmod 700 it, unless they are to read it")
	}
	return nil
}

// owned returns an error if an open file is not a regular file of this user, or has another name,
// which another user may have linked.
func owned(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	st := info.Sys().(*syscall.Stat_t)
	why := ""
	switch {
	case !info.Mode().IsRegular():
		why = "it is not a regular file"
	case int(st.Uid) != os.Geteuid():
		why = fmt.Sprintf("it belongs to user %d", st.Uid)
	case st.Nlink > 1:
		why = "it has another name, which somebody else may have linked here"
	default:
		return nil
	}
	return fmt.Errorf("%s; remove it", why)
}

// OpenRequest opens a file of a request in inbox/. It does not follow a link out of inbox/.
// Otherwise a user who may write in inbox/ could make a batch from a file that only the manager may
// read.
func (d *Dir) OpenRequest(path string) (f *os.File, err error) {
	inbox, err := os.OpenRoot(d.InboxPath())
	if err != nil {
		return nil, err
	}
	defer inbox.Close()
	name, err := filepath.Rel(d.InboxPath(), path)
	if err != nil {
		return nil, err
	}
	if f, err = inbox.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // opening a pipe would block
		err = owned(f)
	}
	if err != nil {
		f.Close()
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err
		}
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return f, nil
}
