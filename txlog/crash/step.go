package crash

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
)

// Steps lists the numbers, from 1, of the steps before which the processes of a test kill themselves: the
// first that gets there before the first of them, then another before the second, and so on. They are counted by
// KillMark, to which each adds a line; so a program that is started again and again dies so often,
// and lives then.
const Steps = "MULTITEXT_STEPS"

// Step is for programs that change files without a Disk. A Change puts it into their source, wherever they are
// about to change something outside of them.
func Step(what string) { process().step(what) }

var process = sync.OnceValue(newSteps)

type steps struct {
	at   int64 // 0: never
	mark string
	n    atomic.Int64
}

func newSteps() *steps {
	s := &steps{mark: os.Getenv(KillMark)}
	done, _ := os.ReadFile(s.mark)
	if all := strings.Fields(os.Getenv(Steps)); bytes.Count(done, []byte("\n")) < len(all) {
		s.at, _ = strconv.ParseInt(all[bytes.Count(done, []byte("\n"))], 10, 64)
	}
	return s
}

func (s *steps) step(what string) {
	if s.at == 0 || s.n.Add(1) != s.at {
		return
	}
	mark, err := os.OpenFile(s.mark, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return // without its mark no kill would count
	}
	mark.WriteString(what + "\n")
	mark.Close()
	syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {} // until the signal arrives
}
