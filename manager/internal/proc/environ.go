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
)

// An answer to whether a process carries a mark.
type answer int

const (
	no       answer = iota // it has ended, or carries another mark
	yes                    // it carries it
	stranger               // it lives and carries none
	unknown                // it was just becoming another program
	kinds
)

// carries reports whether a process was started with an environment that holds a mark
// that is meant. One that has ended has none any more. In the midst of becoming another
// program none is shown for an instant, nor where it would lie, or the end is missing of
// what was being read: that is unknown. For another instant before that it seems a stranger, with the environment of this process.
// A stranger is also who runs as another user, and shows none to this one.
func carries(pid int, meant func(entry string) bool) answer {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err != nil {
		return hidden(pid, err)
	}
	kind := stranger
	for entry := range bytes.SplitSeq(env, []byte{0}) {
		if meant(string(entry)) {
			return yes
		}
		if bytes.HasPrefix(entry, []byte(RunMark)) || bytes.HasPrefix(entry, []byte(ServiceMark)) {
			kind = no
		}
	}
	if kind == stranger {
		return bare(pid, len(env))
	}
	return kind
}

// hidden tells of a process whose environment cannot be read.
func hidden(pid int, err error) answer {
	kind := bare(pid, 0)
	switch {
	case kind != unknown:
		return kind
	case errors.Is(err, fs.ErrPermission):
		return stranger
	case gone(err):
		return no // it is ending
	}
	return unknown
}

// gone reports whether a file under /proc could not be read because its process has
// ended. Any other error, as of no descriptors left, says nothing of the process.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// bare tells of a process that shows no mark in so many bytes of environment whether it has
// ended, is one of the kernel, was started with no more or lives on without its first
// thread, or is to show more: while it becomes another program it has no code for a while.
func bare(pid, shown int) answer {
	const flags, threads, codeEnd, envStart, envEnd = 9, 20, 27, 50, 51 // fields of proc(5), from 1; the command is the second
	const ofKernel = 0x00200000                                         // among the flags
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil && !gone(err) {
		return unknown
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if err != nil || len(f) <= envEnd-3 {
		return no
	}
	number := func(n int) uint64 { i, _ := strconv.ParseUint(f[n-3], 10, 64); return i }
	switch {
	case number(flags)&ofKernel != 0:
		return no
	case f[0] == "Z" || f[0] == "X":
		if number(threads) > 1 {
			return stranger
		}
		return no
	case number(codeEnd) != 0 && number(envEnd)-number(envStart) == uint64(shown):
		return stranger
	}
	return unknown
}
