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

// An answer tells whether a process has a mark.
type answer int

const (
	no      answer = iota // the process has no such mark, or has ended
	yes                   // it does
	unknown               // the process was starting another program
)

// carries reports whether the environment with which a process was started contains a mark that
// meant accepts. A process that has ended has no environment, and a process of another user shows
// none. While a process starts another program (execve), it shows for an instant no environment, or
// not its address, or only its beginning. Then the answer is unknown. Just before that instant, it
// still has the environment of this process.
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

// gone reports whether a file under /proc could not be read because its process has ended. Any
// other error, such as too many open files, tells nothing about the process.
func gone(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH)
}

// shownAll reports whether n bytes are the whole environment of a process. This is so if the
// process has ended, belongs to the kernel, or was started with an environment of n bytes. A
// process that starts another program has no code for a while.
func shownAll(pid, shown int) bool {
	const flags, codeEnd, envStart, envEnd = 9, 27, 50, 51 // fields of proc(5), from 1; 2 is the command
	const ofKernel = 0x00200000                            // a bit of the flags
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
