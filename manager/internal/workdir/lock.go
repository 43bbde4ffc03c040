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

// Held says that another manager holds the crawl.
type Held struct {
	Root  string
	Pid   int
	Since string
}

func (h *Held) Error() string {
	return fmt.Sprintf("another manager holds %s: process %d, since %s", h.Root, h.Pid, h.Since)
}

// fence bounds how long the processes of a dead manager are waited for after
// they were killed.
const fence = 10 * time.Second

// Lock takes the crawl for this process and for all it will start: it is a flock on the
// directory itself, which nobody can take away beside a running manager as they can a
// file in it. Who holds it the kernel tells. The descriptor is handed down, so that the lock is held until the
// last of them has died. Where a dead manager's processes still hold it, they
// are killed and awaited, and so are those that hold it no more and show by their
// environment what they are; their numbers are never used again, so whatever they
// wrote is garbage. A live manager is a *Held.
func (d *Dir) Lock() error {
	f, err := os.Open(d.Root)
	if err != nil {
		return err
	}
	err = d.take(f)
	if err == nil {
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
		if time.Since(start) > fence {
			return fmt.Errorf("%s is still held by processes %v of a manager that died; end them", d.Root, holders)
		}
		for _, pid := range holders {
			proc.Kill(pid, func() bool { _, holds := lockHolder(f, pid); return holds })
		}
	}
}

// left reports whether an entry of a process's environment says that it was started by a
// run or service of this crawl, by whatever way to its directory. The path is that process's:
// another directory may have it in a container.
func (d *Dir) left(pid int, entry string) bool {
	path, service := strings.CutPrefix(entry, proc.ServiceMark)
	if report, run := strings.CutPrefix(entry, proc.RunMark); run {
		path = filepath.Dir(filepath.Dir(report)) // of work/T/report
		service = filepath.Base(path) == workDir
	}
	if !service || !filepath.IsAbs(path) { // somebody tries a stage by hand
		return false
	}
	ours, err := os.Stat(d.Root)
	theirs, err2 := os.Stat(fmt.Sprintf("/proc/%d/root%s", pid, filepath.Dir(path)))
	return err == nil && err2 == nil && os.SameFile(ours, theirs)
}

// File is the descriptor to hand down to every process started.
func (d *Dir) File() *os.File { return d.lock }

// Unlock gives the crawl up.
func (d *Dir) Unlock() error { return d.lock.Close() }

// Holder tells which manager holds the crawl; nil if none does.
func Holder(root string) *Held {
	f, err := os.Open(root)
	if err != nil {
		return nil
	}
	defer f.Close()
	if _, manager := lockHolders(f); manager > 0 {
		return &Held{root, manager, begun(manager)}
	}
	return nil
}

// begun is when a process began, "" if it has ended.
func begun(pid int) string {
	const ticks = 100 // a second, as proc(5) counts them on every machine
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

// stat returns the fields of /proc/PID/stat behind the command, state first.
func stat(pid int) []string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	_, rest, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')'):]), " ")
	return strings.Fields(rest)
}

// lockHolders are the processes that share the lock, as /proc tells: a process
// that merely has the directory open, as a shell would, is none. manager is the one
// among them that took it, 0 if that one has died.
func lockHolders(lock *os.File) (pids []int, manager int) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		pid, _ := strconv.Atoi(filepath.Base(dir))
		taker, holds := lockHolder(lock, pid)
		if !holds || pid == os.Getpid() && taker != pid { // one that began this process, and has died
			continue
		}
		if pids = append(pids, pid); pid == taker {
			manager = pid
		}
	}
	return pids, manager
}

// lockHolder reports whether a process shares the lock, and which one took it.
func lockHolder(lock *os.File, pid int) (taker int, holds bool) {
	path, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", lock.Fd())) // as the kernel names it, beyond any link
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

// lockTaker reads from the fdinfo of a descriptor whether it holds a lock, and
// which process took it: the descriptor may have been handed down since.
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
