package proc

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
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
		kind := carries(pid, p.mark)
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

// end ends a child that carries the mark.
func (p *Process) end(pid int) {
	if Kill(pid, func() bool { return carries(pid, p.mark) == yes }) {
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

// An answer to whether a process carries a mark.
type answer int

const (
	no       answer = iota // it has ended, or carries another mark
	yes                    // it carries it
	stranger               // it lives and carries none
	unknown                // it was just becoming another program
	kinds
)

// carries reports whether a process was started with an environment that holds the
// mark. One that has ended has none any more. In the midst of becoming another
// program none is shown for an instant, nor where it would lie: that is unknown. For
// another instant before that it seems a stranger, with the environment of this process.
// A stranger is also who runs as another user, and shows none to this one.
func carries(pid int, mark string) answer {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return hidden(pid, err)
	}
	kind := stranger
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if string(entry) == mark {
			return yes
		}
		if bytes.HasPrefix(entry, []byte(RunMark)) || bytes.HasPrefix(entry, []byte(ServiceMark)) {
			kind = no
		}
	}
	if len(env) == 0 {
		return bare(pid)
	}
	return kind
}

// hidden tells of a process whose environment cannot be read.
func hidden(pid int, err error) answer {
	kind := bare(pid)
	switch {
	case kind != unknown:
		return kind
	case errors.Is(err, fs.ErrPermission):
		return stranger
	}
	return no // it is ending
}

// bare tells of a process that shows no environment whether it has ended, was started
// with none or lives on without its first thread, or is to show one.
func bare(pid int) answer {
	const threads, envStart, envEnd = 20, 50, 51 // fields of proc(5), from 1; the command is the second
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	switch {
	case err != nil || len(f) <= envEnd-3:
		return no
	case f[0] == "Z" || f[0] == "X":
		if f[threads-3] != "1" && f[threads-3] != "0" {
			return stranger
		}
		return no
	case f[envEnd-3] != "0" && f[envEnd-3] == f[envStart-3]:
		return stranger
	}
	return unknown
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
