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

// Environment variables that select the fault of a program with the Disk of FromEnv.
const (
	// KillAt is the number of the change before which the process kills itself. The first change is
	// 1. 0 or nothing means never.
	KillAt = "MULTITEXT_KILL_AT"
	// FailAt is the number of the change that fails instead of being made.
	FailAt = "MULTITEXT_FAIL_AT"
	// FailWith is the error of that change: ENOSPC, EDQUOT, EIO or EMFILE. Only changes that can
	// return this error are counted.
	FailWith = "MULTITEXT_FAIL_WITH"
	// FailOn, if not empty, makes all later changes fail as well.
	FailOn = "MULTITEXT_FAIL_ON"
	// FailLog is the number of the write or sync of the log that fails with EIO. A write fails
	// after half of its bytes. A sync loses all data that it should make durable, as on ext4, XFS
	// and Btrfs.
	FailLog = "MULTITEXT_FAIL_LOG"
	// KillMark is a file that is created just before the fault. It proves that the fault happened,
	// and where.
	KillMark = failpoint.Mark
	// Steps lists the steps before which programs without a Disk kill themselves.
	Steps = failpoint.Steps
)

// Errors are the values that FailWith accepts.
func Errors() map[string]syscall.Errno {
	return map[string]syscall.Errno{
		"ENOSPC": syscall.ENOSPC, "EDQUOT": syscall.EDQUOT, "EIO": syscall.EIO, "EMFILE": syscall.EMFILE}
}

// A fault happens at a change.
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

// step is called before every change. If the fault is due, step returns the error or never returns.
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

// concerns reports whether a change can meet with the fault. A removal needs no space. Only changes
// that open a file need a descriptor. Opening a file changes nothing, so no kill happens before it.
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
