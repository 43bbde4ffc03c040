package crash

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"

	"multitext/txlog"
	"multitext/txlog/crash/failpoint"
)

// Environment variables that tell a program whose Disk is FromEnv what is to fail.
const (
	// KillAt is the number, from 1, of the change before which the process
	// kills itself; 0 or nothing: never.
	KillAt = "MULTITEXT_KILL_AT"
	// FailAt is the number of the change that fails instead of being made.
	FailAt = "MULTITEXT_FAIL_AT"
	// FailWith is the error of that change: ENOSPC, EDQUOT, EIO or EMFILE. Only
	// changes that can meet with it are counted.
	FailWith = "MULTITEXT_FAIL_WITH"
	// FailOn, if not empty, lets all later ones fail as well.
	FailOn = "MULTITEXT_FAIL_ON"
	// FailLog is the number of the write or sync of the log that fails with EIO: a write
	// after half of its bytes, a sync with all that it was to make durable lost, as ext4, XFS
	// and Btrfs lose it.
	FailLog = "MULTITEXT_FAIL_LOG"
	// KillMark is a file that is made just before the fault, to prove that it
	// happened and where.
	KillMark = failpoint.Mark
	// Steps lists the steps before which programs without a Disk kill themselves.
	Steps = failpoint.Steps
)

// Errors are those that FailWith can name.
func Errors() map[string]syscall.Errno {
	return map[string]syscall.Errno{
		"ENOSPC": syscall.ENOSPC, "EDQUOT": syscall.EDQUOT, "EIO": syscall.EIO, "EMFILE": syscall.EMFILE}
}

// A fault is due at a change.
type fault struct {
	at    int64
	errno syscall.Errno // 0: the process is killed
	lasts bool
	log   bool // only writes and syncs of the log count
	mark  string
	n     atomic.Int64
}

func faultFromEnv() *fault {
	f := &fault{mark: os.Getenv(KillMark), errno: Errors()[os.Getenv(FailWith)]}
	at := os.Getenv(KillAt)
	if f.errno != 0 {
		at, f.lasts = os.Getenv(FailAt), os.Getenv(FailOn) != ""
	}
	if nth := os.Getenv(FailLog); nth != "" {
		at, f.errno, f.log = nth, syscall.EIO, true
	}
	f.at, _ = strconv.ParseInt(at, 10, 64)
	return f
}

// step is called before every change. If the fault is due it returns the error,
// or never.
func (f *fault) step(op, path string) error {
	if f.at == 0 || !f.concerns(op, path) {
		return nil
	}
	n := f.n.Add(1)
	if n < f.at || n > f.at && !f.lasts {
		return nil
	}
	if n == f.at {
		os.WriteFile(f.mark, []byte(op+" "+path+"\n"), 0o666)
	}
	if f.errno != 0 {
		return &fs.PathError{Op: op, Path: path, Err: fmt.Errorf("injected: %w", f.errno)}
	}
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}

// concerns reports whether a change can meet with the fault: a removal needs no
// room, only what opens a file needs a descriptor, and to open one changes
// nothing that a kill could come before.
func (f *fault) concerns(op, path string) bool {
	if f.log {
		return filepath.Base(path) == txlog.LogFile && (op == Write || op == Fsync)
	}
	switch f.errno {
	case 0:
		return op != open
	case syscall.EMFILE:
		return op == Create || op == open || op == Sync
	case syscall.ENOSPC, syscall.EDQUOT:
		return op != Remove && op != open
	}
	return true
}
