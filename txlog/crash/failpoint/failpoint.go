// Package failpoint is what failpoints call. A failpoint is a comment on a line of its own in
// the source of a product, where something can be made to go wrong:
//
//	//failpoint:outputs-not-synced continue
//	//failpoint:output-created
//
// crash.BuildFaulty makes code of it, and nothing else does: a product is linked with nothing
// of this package. The first becomes a statement, executed where the environment names it. It
// is a defect that some test must find, or a setting that a test needs. The second becomes a
// step, before which the process kills itself when its number is due.
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
	// Enabled lists the names of the statements that are executed, with commas.
	Enabled = "MULTITEXT_FAILPOINTS"
	// Steps lists the numbers, from 1, of the steps before which the processes of a test kill
	// themselves: the first that gets there before the first of them, then another before the
	// second, and so on. They are counted by Mark, to which each adds a line; so a program that
	// is started again and again dies so often, and then lives.
	Steps = "MULTITEXT_STEPS"
	// Mark is a file that is made just before a kill, to prove that it happened and where.
	Mark = "MULTITEXT_KILL_MARK"
)

// On reports whether a statement is to be executed.
func On(name string) bool { return slices.Contains(enabled(), name) }

var enabled = sync.OnceValue(func() []string { return strings.Split(os.Getenv(Enabled), ",") })

// Step counts a step, and kills the process if it is due.
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
		return // without its mark no kill would count
	}
	mark.WriteString(name + "\n")
	mark.Close()
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}

// Keep remembers something at once and outside of any transaction, as a stage must not.
func Keep(what string) { os.WriteFile("kept-"+what, nil, 0o666) }

// Kept reports whether something was remembered by Keep.
func Kept(what string) bool {
	_, err := os.Stat("kept-" + what)
	return err == nil
}
