package workdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// checkOwner refuses a directory that is another user's, or that others may write: they could put
// in a log that starts anything. It warns of one that others may open, since they could hold its
// lock.
func checkOwner(root string, info fs.FileInfo, warn func(string)) error {
	uid, me := info.Sys().(*syscall.Stat_t).Uid, os.Geteuid()
	switch perm := info.Mode().Perm(); {
	case int(uid) != me:
		return fmt.Errorf("dir %s belongs to user %d, and this is user %d; "+
			"run the manager as that user, or name another", root, uid, me)
	case perm&0o022 != 0:
		return fmt.Errorf("dir %s may be written by other users, who could put anything into the crawl; chmod go-w it",
			root)
	case perm&0o044 != 0:
		warn("warning: other users may open " + root + ", and could so keep every manager from it; " +
			"chmod 700 it, unless they are to read it")
	}
	return nil
}

// owned refuses an open file that is no regular one of this user, or that has another name, which
// another user may have linked.
func owned(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	st := info.Sys().(*syscall.Stat_t)
	why := ""
	switch {
	case !info.Mode().IsRegular():
		why = "it is no regular file"
	case int(st.Uid) != os.Geteuid():
		why = fmt.Sprintf("it belongs to user %d", st.Uid)
	case st.Nlink > 1:
		why = "it has another name, which somebody else may have linked here"
	default:
		return nil
	}
	return fmt.Errorf("%s; remove it", why)
}

// OpenRequest opens a file of a request in inbox/. It does not follow a link out of there: whoever
// may write in inbox/ could otherwise get as a batch what only the manager may read.
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
	if f, err = inbox.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil { // a pipe would block
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
