// Package failpoint contains the functions that failpoints call. A failpoint is a comment on a line
// of its own in the source of a program. It marks a place where a test can cause a fault:
//
//	//failpoint:outputs-not-synced continue
//	//failpoint:output-created
//
// Only crash.BuildFaulty converts failpoints to code, so a released program contains nothing of
// this package. The first form becomes a statement, which is executed if the environment names it.
// The statement is a defect that some test must find, or a setting that a test needs. The second
// form becomes a step. The process kills itself before the step when the number of the step is due.
package failpoint

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Environment variables.
const (
	// Enabled lists the names of the statements to execute, separated by commas.
	Enabled = "MULTITEXT_FAILPOINTS"
	// Steps lists the numbers of the steps before which the processes of a test kill themselves;
	// the first step is 1. The first process that reaches the first of these steps dies there, then
	// another one at the second, and so on. Mark counts the kills, because each process adds a line
	// to it. So a program that is started repeatedly dies that many times, and then survives.
	Steps = "MULTITEXT_STEPS"
	// Mark is a file that is created just before a kill. It proves that the kill happened, and
	// where.
	Mark = "MULTITEXT_KILL_MARK"
)

// On reports whether a statement is to be executed.
func On(name string) bool { return slices.Contains(enabled(), name) }

var enabled = sync.OnceValue(func() []string { return strings.Split(os.Getenv(Enabled), ",") })

// Step counts a step, and kills the process if the step is due.
func Step(name string) { process().step(name) }

var process = sync.OnceValue(newSteps)

type steps struct {
	at   int64 // 0: never
	mark string
	n    atomic.Int64
}

func newSteps() *steps {
	s := &steps{mark: os.Getenv(Mark)}
	done, _ := os.ReadFile(s.mark)
	if all := strings.Fields(os.Getenv(Steps)); bytes.Count(done, []byte("\n")) < len(all) {
		s.at, _ = strconv.ParseInt(all[bytes.Count(done, []byte("\n"))], 10, 64)
	}
	return s
}

func (s *steps) step(name string) {
	if s.at == 0 || s.n.Add(1) != s.at {
		return
	}
	mark, err := os.OpenFile(s.mark, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return // without its mark the kill would not be counted
	}
	mark.WriteString(name + "\n")
	mark.Close()
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}

// Keep stores something at once and outside of any transaction, which a stage must not do.
func Keep(what string) { os.WriteFile("kept-"+what, nil, 0o666) }

// Kept reports whether Keep has stored something.
func Kept(what string) bool {
	_, err := os.Stat("kept-" + what)
	return err == nil
}
