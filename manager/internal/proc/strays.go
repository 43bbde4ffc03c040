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

// strays ends what has left the group and still carries the program's mark in its
// environment. By now it is a child of this process, or becomes one when its parent
// is ended here. What has thrown the mark away is not ended: it holds the lock, and
// the next start ends it by that. alone says that there was none of this kind either.
//
// The list of children is read until nothing is found twice, and both times the same
// of strangers: read while a child ends the list may lack another, and of one that ends
// or becomes another program meanwhile the environment may be read in part, without
// its mark.
func (p *Process) strays() (alone bool, err error) {
	if p.mark == "" {
		return false, nil
	}
	for start, clean := time.Now(), 0; clean < 2; {
		seen, late := p.endStrays(), time.Since(start) > patience
		was := alone
		alone = !seen[stranger] && !(seen[unknown] && late)
		switch {
		case seen[yes] && late:
			return false, fmt.Errorf("processes that have left group %d do not end", p.Pid)
		case !seen[yes] && (!seen[unknown] || late):
			if alone != was {
				clean = 0
			}
			clean++
		default:
			clean = 0
			time.Sleep(time.Millisecond)
		}
	}
	return alone, nil
}

// endStrays looks once, ends what it meets, and tells which kinds of children there are.
// Where they are not listed there may be any.
func (p *Process) endStrays() (seen [kinds]bool) {
	pids, err := children()
	seen[stranger] = err != nil
	for _, pid := range pids {
		kind := carries(pid, p.marked)
		seen[kind] = true
		switch {
		case kind == yes:
			p.end(pid)
		case kind != unknown && leftSession(pid):
			reap(pid, 0) // if it has ended by itself
		}
	}
	return seen
}

func (p *Process) marked(entry string) bool { return entry == p.mark }

// end ends a child that carries the mark.
func (p *Process) end(pid int) {
	if Kill(pid, func() bool { return carries(pid, p.marked) == yes }) {
		reap(pid, patience)
	}
}

// children are those of this process's first thread, which is the one that orphans
// come to. Some kernels do not list them (CONFIG_PROC_CHILDREN).
func children() (pids []int, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	for word := range strings.FieldsSeq(string(text)) {
		if pid, err := strconv.Atoi(word); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids, err
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
