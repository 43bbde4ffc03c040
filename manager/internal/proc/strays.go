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

// strays kills the processes that have left the group and still have the program's mark in their
// environment. Each of them is a child of this process, or becomes one when its parent is killed
// here. strays does not kill a process that has removed the mark from its environment; that process
// holds the lock, by which the next start finds it.
//
// strays reads the list of children until it has found nothing twice, because a list that is read
// while a child ends may miss another one.
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

// endStrays reads the list once and kills the processes that it finds. unsure reports whether there
// may be more.
func (p *Process) endStrays() (found, unsure bool) {
	for _, pid := range children() {
		switch a := carries(pid, p.marked); {
		case a == yes:
			found = true
			p.end(pid)
		case a == unknown:
			unsure = true
		case leftSession(pid):
			reap(pid, 0) // in case it has ended by itself
		}
	}
	return found, unsure
}

func (p *Process) marked(_ int, entry string) bool { return entry == p.mark }

// end kills a child that has the mark.
func (p *Process) end(pid int) {
	if Kill(pid, func() bool { return carries(pid, p.marked) == yes }) {
		reap(pid, goneWithin)
	}
}

// children returns the children of the first thread of this process, which inherits orphans. If the
// kernel does not list them (CONFIG_PROC_CHILDREN), it returns none.
func children() (pids []int) {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// leftSession reports whether a process is in another session than this one. A program that was
// started here never is, because it leads its group. So no other goroutine waits for such a child.
func leftSession(pid int) bool {
	theirs, err := unix.Getsid(pid)
	ours, err2 := unix.Getsid(0)
	return err == nil && err2 == nil && theirs != ours
}

// reap waits for the end of a child, at most for the given time.
func reap(pid int, atMost time.Duration) {
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		got, err := syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		if got == pid || err != nil && !errors.Is(err, syscall.EINTR) || time.Since(start) >= atMost {
			return
		}
	}
}
