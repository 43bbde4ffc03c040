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
	no      answer = iota // it does not, or it has ended
	yes                   // it does
	unknown               // it was just becoming another program
)

// carries reports whether a process was started with an environment that has a mark that is meant.
// A process that has ended has no environment, and one of another user shows none. While a process
// becomes another program, it shows for an instant no environment, or not where that lies, or only
// its beginning: then the answer is unknown. For an instant before that, it has the environment of
// this process.
func carries(pid int, meant func(pid int, entry string) bool) answer {
	env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
	if err == nil {
		for entry := range bytes.SplitSeq(env, []byte{0}) {
			if meant(pid, string(entry)) {
				return yes
			}
		}
	}
	if errors.Is(err, fs.ErrPermission) || gone(err) || shownAll(pid, len(env)) {
		return no
	}
	return unknown
}

// gone reports whether a file under /proc could not be read because its process has
// ended. Any other error, as of no descriptors left, says nothing of the process.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// shownAll reports whether a process that has shown so many bytes of environment has no more: it
// has ended, or belongs to the kernel, or was started with as many. A process that becomes another
// program has no code for a while.
func shownAll(pid, shown int) bool {
	const flags, codeEnd, envStart, envEnd = 9, 27, 50, 51 // fields of proc(5), from 1; the command is the second
	const ofKernel = 0x00200000                            // among the flags
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return gone(err)
	}
	f := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(f) <= envEnd-3 {
		return true
	}
	number := func(n int) uint64 { i, _ := strconv.ParseUint(f[n-3], 10, 64); return i }
	ended := f[0] == "Z" || f[0] == "X"
	all := number(codeEnd) != 0 && number(envEnd)-number(envStart) == uint64(shown)
	return ended || number(flags)&ofKernel != 0 || all
}
