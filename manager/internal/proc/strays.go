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
//
// The list of children is read until nothing is found twice: read while a child ends
// it may lack another.
func (p *Process) strays() error {
	if p.mark == "" {
		return nil
	}
	for start, clean := time.Now(), 0; clean < 2; {
		met, unsure := p.endStrays()
		switch late := time.Since(start) > patience; {
		case met && late:
			return fmt.Errorf("processes that have left group %d do not end", p.Pid)
		case !met && (!unsure || late):
			clean++
		default:
			clean = 0
			time.Sleep(time.Millisecond)
		}
	}
	return nil
}

// endStrays looks once, and ends what it meets. unsure says that some child could
// not be told, for it was just becoming another program.
func (p *Process) endStrays() (met, unsure bool) {
	for _, pid := range children() {
		switch carries(pid, p.mark) {
		case yes:
			met = true
			p.end(pid)
		case unknown:
			unsure = true
		case no:
			if leftSession(pid) {
				reap(pid, 0) // if it has ended by itself
			}
		}
	}
	return met, unsure
}

// end ends a child that carries the mark.
func (p *Process) end(pid int) {
	if Kill(pid, func() bool { return carries(pid, p.mark) == yes }) {
		reap(pid, patience)
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

// An answer to whether a process carries a mark.
type answer int

const (
	no answer = iota
	yes
	unknown
)

// carries reports whether a process was started with an environment that holds the
// mark. One that has ended has none any more. In the midst of becoming another
// program none is shown for an instant, nor where it would lie: that is unknown.
func carries(pid int, mark string) answer {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return no
	}
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if string(entry) == mark {
			return yes
		}
	}
	if len(env) == 0 && !bare(pid) {
		return unknown
	}
	return no
}

// bare reports whether a process has ended, or was started with no environment.
func bare(pid int) bool {
	const envStart, envEnd = 50, 51 // fields of proc(5), from 1; the command is the second
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if err != nil || len(f) <= envEnd-3 {
		return true
	}
	return f[0] == "Z" || f[0] == "X" || f[envEnd-3] != "0" && f[envEnd-3] == f[envStart-3]
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
