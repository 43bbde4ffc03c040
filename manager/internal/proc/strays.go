package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// strays ends what has left the group and still carries the program's mark in its
// environment. By now it is a child of this process, or becomes one when its parent
// is ended here. What has thrown the mark away is not found: it holds the lock, and
// the next start ends it by that.
func (p *Process) strays() error {
	if p.mark == "" {
		return nil
	}
	for start := time.Now(); ; {
		met := false
		for _, pid := range children() {
			if carries(pid, p.mark) {
				met = true
				syscall.Kill(pid, syscall.SIGKILL)
				reap(pid, patience)
			} else if leftSession(pid) {
				reap(pid, 0) // if it has ended by itself
			}
		}
		if !met {
			return nil
		}
		if time.Since(start) > patience {
			return fmt.Errorf("processes that have left group %d do not end", p.Pid)
		}
	}
}

// children are those of this process's first thread, which is the one that orphans
// come to. On a kernel that does not list them (CONFIG_PROC_CHILDREN) there seem to
// be none.
func children() (pids []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// carries reports whether a process was started with an environment that holds the
// mark. One that has ended has none any more.
func carries(pid int, mark string) bool {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return false
	}
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if string(entry) == mark {
			return true
		}
	}
	return false
}

// leftSession reports whether a process is of another session than this one. No
// program that was started here is, for it leads its group; so nobody else waits
// for this child.
func leftSession(pid int) bool {
	theirs, err := unix.Getsid(pid)
	ours, err2 := unix.Getsid(0)
	return err == nil && err2 == nil && theirs != ours
}

// reap takes the end of a child, waiting for it at most so long.
func reap(pid int, atMost time.Duration) {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		if got == pid || err != nil && !errors.Is(err, syscall.EINTR) || time.Since(start) >= atMost {
			return
		}
	}
}
