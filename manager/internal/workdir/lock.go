package workdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"multitext/manager/internal/proc"
)

// Held is the error that another manager holds the crawl. Status and why print it with -json.
type Held struct {
	Root  string `json:"-"`
	Pid   int    `json:"pid"`
	Since string `json:"since"` // RFC 3339
}

func (h *Held) Error() string {
	return fmt.Sprintf("another manager holds %s: process %d, since %s", h.Root, h.Pid, h.Since)
}

// fence is the maximum time to wait for the processes of a dead manager after they were killed.
const fence = 10 * time.Second

// Lock locks the crawl for this process and for all processes that it will start. The lock is a
// flock on the directory itself, because a file in it could be removed while a manager runs. The
// kernel shows in /proc who holds it. Every process that is started inherits the descriptor, so the
// lock is held until the last of them has ended.
//
// Lock kills the processes that a dead manager has left running, and waits until they end. These
// are the processes that hold the lock. They are also the processes whose environment names a run
// or service of this crawl (a run by MT_REPORT, a service by MT_SERVICE). Their transaction numbers
// are never used again, so their output is garbage. If some do not end in time, the error names
// them. If the manager is alive, the error is a *Held.
func (d *Dir) Lock() error {
	f, err := os.Open(d.Root)
	if err != nil {
		return err
	}
	err = d.take(f)
	if err == nil {
		//failpoint:marked-not-killed d.lock = f; return nil
		err = proc.EndAll(d.left, fence)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	d.lock = f
	return nil
}

func (d *Dir) take(f *os.File) error {
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return fmt.Errorf("lock %s: %w", d.Root, err)
		}
		holders, manager := lockHolders(f)
		if manager > 0 {
			return &Held{d.Root, manager, begun(manager)}
		}
		//failpoint:holders-not-killed return fmt.Errorf("processes %v still hold the lock", holders)
		if time.Since(start) > fence {
			return fmt.Errorf("%s is still held by processes %v of a manager that died; kill them", d.Root, holders)
		}
		for _, pid := range holders {
			proc.Kill(pid, func() bool { _, holds := lockHolder(f, pid); return holds })
		}
	}
}

// left reports whether an entry of a process's environment shows that a run or service of this
// crawl started it. It resolves the path in the entry as that process sees it, because in a
// container another directory may have this path.
func (d *Dir) left(pid int, entry string) bool {
	path, service := strings.CutPrefix(entry, proc.ServiceMark)
	if report, run := strings.CutPrefix(entry, proc.RunMark); run {
		path = filepath.Dir(filepath.Dir(report)) // the path is work/T/report
		service = filepath.Base(path) == workDir
	}
	if !service || !filepath.IsAbs(path) { // somebody runs a stage by hand
		return false
	}
	ours, err := os.Stat(d.Root)
	theirs, err2 := os.Stat(fmt.Sprintf("/proc/%d/root%s", pid, filepath.Dir(path)))
	return err == nil && err2 == nil && os.SameFile(ours, theirs)
}

// File returns the descriptor that every started process inherits.
func (d *Dir) File() *os.File {
	//failpoint:lock-not-handed-down return nil
	return d.lock
}

// Unlock gives up the lock.
func (d *Dir) Unlock() error { return d.lock.Close() }

// Holder returns the manager that holds the crawl, or nil if there is none.
func Holder(root string) *Held {
	f, err := os.Open(root)
	if err != nil {
		return nil
	}
	defer f.Close()
	if manager := lockedBy(f); manager > 0 {
		return &Held{root, manager, begun(manager)}
	}
	return nil
}

// lockedBy returns the process that took the lock, or 0 if there is none or it has ended. It looks
// only at the processes that have taken any lock, because a window asks again and again.
func lockedBy(lock *os.File) (manager int) {
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		_, manager = lockHolders(lock)
		return manager
	}
	for line := range strings.Lines(string(text)) {
		// 1: FLOCK  ADVISORY  WRITE 12345 00:2f:678 0 EOF
		f := strings.Fields(line)
		if len(f) < 5 || f[1] != "FLOCK" {
			continue
		}
		pid, _ := strconv.Atoi(f[4])
		if taker, holds := lockHolder(lock, pid); holds && taker == pid {
			return pid
		}
	}
	return 0
}

// begun returns when a process began, or "" if it has ended.
func begun(pid int) string {
	const ticks = 100 // per second; proc(5) uses this unit on every machine
	var up float64
	text, err := os.ReadFile("/proc/uptime")
	fmt.Sscan(string(text), &up)
	f := stat(pid)
	if err != nil || len(f) < 20 {
		return ""
	}
	start, _ := strconv.ParseFloat(f[19], 64)
	age := time.Duration((up - start/ticks) * float64(time.Second))
	return time.Now().Add(-age).UTC().Format(time.RFC3339)
}

// stat returns the fields of /proc/PID/stat after the command; the state is the first.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')'):]), " ")
	return strings.Fields(rest)
}

// lockHolders returns the processes that share the lock. It leaves out those that only have the
// directory open, such as a shell. manager is the process that took the lock, or 0 if that process
// has ended.
func lockHolders(lock *os.File) (pids []int, manager int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		taker, holds := lockHolder(lock, pid)
		if !holds || pid == os.Getpid() && taker != pid { // taken by its dead parent
			continue
		}
		if pids = append(pids, pid); pid == taker {
			manager = pid
		}
	}
	return pids, manager
}

// lockHolder reports whether a process shares the lock, and which process took it.
func lockHolder(lock *os.File, pid int) (taker int, holds bool) {
	path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", lock.Fd())) // as the kernel names it, with links resolved
	fds, err2 := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil || err2 != nil {
		return 0, false
	}
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err != nil || target != path {
			continue
		}
		if taker, holds = lockTaker(strings.Replace(fd, "/fd/", "/fdinfo/", 1)); holds {
			break
		}
	}
	return taker, holds
}

// lockTaker reads from the fdinfo of a descriptor whether it holds a lock, and which process took
// the lock. That may be another process than the descriptor's.
func lockTaker(fdinfo string) (pid int, holds bool) {
	text, err := os.ReadFile(fdinfo)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(text)) {
		// lock:	1: FLOCK  ADVISORY  WRITE 12345 00:2f:678 0 EOF
		if f := strings.Fields(line); len(f) > 5 && f[0] == "lock:" && f[2] == "FLOCK" {
			pid, _ := strconv.Atoi(f[5])
			return pid, true
		}
	}
	return 0, false
}
