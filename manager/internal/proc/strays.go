package proc

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// strays ends the processes that have left the group and still carry the program's mark in their
// environment. Each is a child of this process by now, or becomes one when its parent is ended
// here. A process that has thrown the mark away is not ended: it holds the lock, by which the next
// start finds it.
//
// The list of children is read until nothing is found twice: a list that is read while a child
// ends may lack another.
func (p *Process) strays() error {
	if p.mark == "" {
		return nil
	}
	for start, clean := time.Now(), 0; clean < 2; {
		found, unsure := p.endStrays()
		late := time.Since(start) > goneWithin
		switch {
		case found && late:
			return fmt.Errorf("processes that have left group %d do not end", p.Pid)
		case !found && (!unsure || late):
			clean++
		default:
			clean = 0
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// endStrays looks once and ends what it finds; unsure says that there may be more.
func (p *Process) endStrays() (found, unsure bool) {
	for _, pid := range children() {
		switch a := carries(pid, p.marked); {
		case a == yes:
			found = true
			p.end(pid)
		case a == unknown:
			unsure = true
		case leftSession(pid):
			reap(pid, 0) // if it has ended by itself
		}
	}
	return found, unsure
}

func (p *Process) marked(_ int, entry string) bool { return entry == p.mark }

// end ends a child that carries the mark.
func (p *Process) end(pid int) {
	if Kill(pid, func() bool { return carries(pid, p.marked) == yes }) {
		reap(pid, goneWithin)
	}
}

// children are those of the first thread of this process, which inherits orphans. On a kernel that
// does not list them (CONFIG_PROC_CHILDREN) there seem to be none.
func children() (pids []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leftSession reports whether a process is of another session than this one. A program that was
// started here never is, for it leads its group. So nobody else waits for such a child.
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
