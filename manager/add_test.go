package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/manager/internal/crawl"
	"multitext/txlog/crash"
)

// copied is a stage that copies its batch.
var copied = oneBatch + "run = \"cp {in} {b}\"\n"

// add calls manager add, and returns its exit code and what it said.
func (c *crawlFolder) add(env []string, args ...string) (code int, said string) {
	c.t.Helper()
	cmd, out := c.command("add", args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Run()
	return cmd.ProcessState.ExitCode(), out.String()
}

// Whatever call of an add fails, the add says truly whether the files were added. If they were not,
// the same add once more adds them once.
func TestAddThatFails(t *testing.T) {
	bin := faulty.Dir(t)
	fates := map[string]int{"nothing was done": 0, "stays in the inbox": 0, "is not known": 0, "was carried out": 0}
	for at := 1; ; at++ {
		c := newCrawl(t, copied, "s1", "one\n", "precious", "precious\n")
		c.manager = filepath.Join(bin, "manager")
		c.run(crawl.ExitDone)
		mark := c.path("mark")
		code, said := c.add([]string{crash.FailAt + "=" + strconv.Itoa(at), crash.FailWith + "=EIO",
			crash.KillMark + "=" + mark}, "a", c.path("precious"))
		where, err := os.ReadFile(mark)
		if err != nil {
			t.Logf("%d calls failed: %v", at-1, fates)
			break
		}
		if code == crawl.ExitBroken {
			fate := ""
			for text := range fates {
				if strings.Contains(said, text) {
					fate = text
				}
			}
			fates[fate]++
			inbox, _ := filepath.Glob(c.path("crawl/inbox/[0-9a-f]*"))
			if fate == "" || (fate == "nothing was done") != (len(inbox) == 0) {
				t.Errorf("%s: the inbox holds %v after %q", where, inbox, said)
			}
			if fate == "was carried out" {
				code, said = crawl.ExitDone, "1 batch added to a" // who is told that does not ask again
			} else {
				code, said = c.add(nil, "a", c.path("precious"))
			}
		}
		if code != crawl.ExitDone || !strings.Contains(said, "1 batch added to a") {
			t.Errorf("%s: exit code %d, %q", where, code, said)
		}
		c.run(crawl.ExitDone)
		if got := c.content("b"); strings.Count(got, "precious") != 1 {
			t.Errorf("%s: the product is %q", where, got)
		}
	}
	for fate, n := range fates {
		if n == 0 {
			t.Errorf("no call left %q to say", fate)
		}
	}
}

// What is added under an id is added once, in whatever generation of the log that was;
// another thing under that id is refused, and without one the same is added again.
func TestAddByID(t *testing.T) {
	c := newCrawl(t, copied, "s1", "one\n", "precious", "precious\n", "other", "other\n")
	for i, call := range []struct {
		args []string
		code int
		said string
	}{
		{[]string{"-id", "monday", "a", "precious"}, crawl.ExitDone, "transaction 1: 1 batch added to a"},
		{[]string{"a", "other"}, crawl.ExitDone, "1 batch added to a"},
		{[]string{"-id", "monday", "a", "precious"}, crawl.ExitDone,
			"was answered before; nothing is done twice\ntransaction 1: 1 batch added to a"},
		{[]string{"-id", "monday", "a", "other"}, crawl.ExitBad, "request monday was for other files or another queue"},
		{[]string{"-id", "../x", "a", "other"}, crawl.ExitBad, `-id "../x" is not a name`},
		{[]string{"a", "precious"}, crawl.ExitDone, "1 batch added to a"},
	} {
		last := len(call.args) - 1
		call.args[last] = c.path(call.args[last])
		if code, said := c.add(nil, call.args...); code != call.code || !strings.Contains(said, call.said) {
			t.Errorf("call %d: exit code %d, %q; want %d, %q", i+1, code, said, call.code, call.said)
		}
	}
	c.run(crawl.ExitDone)
	if got := c.content("b"); strings.Count(got, "precious") != 2 || strings.Count(got, "other") != 1 {
		t.Errorf("the product is %q", got)
	}
}
