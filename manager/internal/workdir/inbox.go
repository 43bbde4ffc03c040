package workdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"multitext/txlog"
)

// InboxPath returns the path of the folder where requests wait.
func (d *Dir) InboxPath() string { return d.Path(txlog.InboxDir) }

// RemoveRequest removes an answered request from inbox/.
func (d *Dir) RemoveRequest(id string) error {
	return d.removeTree(filepath.Join(d.InboxPath(), id))
}

// Writing keeps a start from deleting the hidden requests in inbox/ while one is being written. It
// lasts until release is called or the process ends.
func (d *Dir) Writing() (release func() error, err error) { return d.lockInbox(syscall.LOCK_SH) }

func (d *Dir) lockInbox(how int) (release func() error, err error) {
	f, err := os.Open(d.InboxPath())
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	return f.Close, nil
}

// halves returns the requests in inbox/ that are incomplete.
func (d *Dir) halves() (names []string) {
	entries, _ := os.ReadDir(d.InboxPath())
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}

// clearHalves removes the requests whose verb ended before they were complete. Nobody was promised
// that these take effect. While a verb is writing a request, all of them stay until the next start.
func (d *Dir) clearHalves() error {
	release, err := d.lockInbox(syscall.LOCK_EX | syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range d.halves() {
		if err := d.RemoveRequest(name); err != nil {
			return errors.Join(err, release())
		}
	}
	return release()
}
