package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
)

// A run that puts a link in the place of its output's folder fails: an output that cannot be
// renamed into its queue is not committed.
func TestOutputBehindALink(t *testing.T) {
	long(t)
	away, err := os.MkdirTemp("/dev/shm", "multitext-away-")
	if err != nil {
		t.Skipf("there is no second file system: %v", err)
	}
	defer os.RemoveAll(away)
	for name, to := range map[string]string{"another file system": away, "the same one": "$(mktemp -d $PWD/far.XXXX)"} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, strings.Replace(oneStage, "retry = 1", "retry = 0", 1)+`
shell = """d=$(dirname {b}); if ! test -e well; then rmdir $d; ln -s `+to+` $d; fi; cp {in} {b}"""`+"\n",
				"s1", "1\n", "s2", "2\n", "s3", "3\n")
			c.wants(c.run(crawl.ExitFailed), "/b is a symbolic link")
			c.holds("b", "")
			c.write("well", "")
			c.verb("retry", crawl.ExitDone)
			c.run(crawl.ExitDone)
			c.holds("b", "1\n2\n3\n")
		})
	}
}

// If something is mounted on a queue while a stage runs, even of the same disk, the run does not
// commit and no batch is charged. A start is refused until the mount is gone.
func TestQueueThatIsMountedOn(t *testing.T) {
	long(t)
	if os.Getuid() != 0 {
		t.Skip("only root can mount")
	}
	c := newNumbers(t, `shell = "cp {in} {b}; touch begun; until test -e go; do sleep 0.05; done"
[stop]
time = "1500ms"`)
	cmd, said := c.start()
	c.wait("begun")
	if err := syscall.Mount(t.TempDir(), c.path("crawl/b"), "", syscall.MS_BIND, ""); err != nil {
		c.write("go", "")
		cmd.Wait()
		t.Skipf("nothing can be mounted here: %v", err)
	}
	c.write("go", "")
	if cmd.Wait(); cmd.ProcessState.ExitCode() != crawl.ExitLimit {
		t.Errorf("exit code %d\n%s", cmd.ProcessState.ExitCode(), said)
	}
	c.wants(said.String(), "crawl/b is on another file system or mount than")
	for name, b := range c.state().Batches() {
		if len(b.Marks) > 0 || name.Queue() != "a" {
			t.Errorf("%s: %+v", name, b)
		}
	}
	c.wants(c.run(crawl.ExitBroken), "crawl/b is on another file system or mount than")
	for end := time.Now().Add(5 * time.Second); syscall.Unmount(c.path("crawl/b"), 0) != nil &&
		time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	c.run(crawl.ExitDone)
	c.holds("b", "1\n2\n3\n")
}
