package crash

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// A Crawl is a script in a folder of its own, of one stage that keeps MULTITEXT_STEPS and
// MULTITEXT_KILL_MARK in its environment (env). It and its manager are of BuildFaulty.
type Crawl struct {
	testing.TB
	Bin    string // folder of the programs
	Script string // path
}

// Run runs the crawl to its end, or until its manager is killed. It returns how many kills there
// were, of the manager or of the stage.
func (c *Crawl) Run(env ...string) (kills int, over bool) {
	c.Helper()
	mark := filepath.Join(filepath.Dir(c.Script), "killed")
	cmd := Bounded(c, filepath.Join(c.Bin, "manager"), "run", c.Script)
	cmd.Env = append(append(os.Environ(), KillMark+"="+mark), env...)
	said, err := cmd.CombinedOutput()
	text, _ := os.ReadFile(mark)
	os.Remove(mark)
	killed := cmd.ProcessState != nil && cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
	if err != nil && !killed {
		c.Fatalf("%v; it said\n%s", err, said)
	}
	return bytes.Count(text, []byte("\n")), !killed
}

// Chain runs the crawl with six kills, or as many as it lasts, and then to its end. In even chains
// the manager is killed before changes that it makes, in the others the stage before what it writes.
// It returns how many kills there were. ended is called at the end of each run.
func (c *Crawl) Chain(chain int, rnd *rand.Rand, ended func()) (kills int) {
	c.Helper()
	for range 6 {
		env := KillAt + "=" + strconv.Itoa(1+rnd.IntN(90))
		if chain%2 == 1 {
			env = fmt.Sprintf("%s=%d %d %d", Steps, 1+rnd.IntN(12), 1+rnd.IntN(12), 1+rnd.IntN(40))
		}
		n, over := c.Run(env)
		kills += n
		if ended(); over {
			return kills
		}
	}
	if _, over := c.Run(); !over {
		c.Fatal("it was killed without being told to")
	}
	ended()
	return kills
}
