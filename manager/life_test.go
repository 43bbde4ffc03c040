package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/txlog"
	"multitext/txlog/crash"
)

// At the first signal the running stages finish and nothing starts; the next run takes what waits.
func TestFirstSignalLetsStagesFinish(t *testing.T) {
	c := newNumbers(t, "shell = \"touch begun; sleep 0.3; cp {in} {b}\"")
	cmd, said := c.start()
	c.wait("begun")
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	c.ended(cmd, said, crawl.ExitStopped)
	c.wants(said.String(),
		"stopping: told to; the running stages may finish; the next Ctrl-C or SIGTERM kills them and rolls them back")
	c.holds("b", "1\n")
	c.run(crawl.ExitDone)
	c.holds("b", "1\n2\n3\n")
}

// At the second signal the running stages are ended, and no batch is charged.
func TestSecondSignalEndsStages(t *testing.T) {
	c := newNumbers(t, "shell = \"touch begun; sleep 100; cp {in} {b}\"")
	cmd, said := c.start()
	c.wait("begun")
	start := time.Now()
	cmd.Process.Signal(os.Interrupt)
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != crawl.ExitStopped || time.Since(start) > 50*time.Second {
		t.Errorf("exit code %d after %s, want %d\n%s", code, time.Since(start), crawl.ExitStopped, said)
	}
	c.nobodyCharged(said)
	if entries, err := os.ReadDir(c.path("crawl/work")); err != nil || len(entries) > 0 {
		t.Errorf("work/ holds %v (%v)", entries, err)
	}
}

// A SIGTERM to every process, as of systemctl restart, is charged to no batch, whether it reaches
// the stage before the manager or after, and however the stage ends.
func TestSignalToEveryProcess(t *testing.T) {
	long(t)
	for name, shell := range map[string]string{
		"dies of it":     "touch begun; sleep 100",
		"ends by itself": "trap 'exit 1' TERM; touch begun; sleep 100 & wait",
		"leaves half outputs": "trap 'echo half > {b}; echo in 7 > {report}; exit 0' TERM; touch begun; " +
			"sleep 100 & wait",
	} {
		for order, wait := range map[string]time.Duration{"stage first": 50 * time.Millisecond,
			"manager first": -50 * time.Millisecond} {
			t.Run(name+", "+order, func(t *testing.T) {
				c := newCrawl(t, strings.Replace(oneStage, "retry = 1", "retry = 0",
					1)+"shell = \"\"\""+shell+" # {in} {b} {report}\"\"\"\n", "s1", "1\n", "s2", "2\n", "s3", "3\n")
				cmd, said := c.start()
				c.wait("begun")
				if wait < 0 {
					cmd.Process.Signal(syscall.SIGTERM)
				}
				time.Sleep(max(wait, -wait))
				for _, pid := range crash.Descendants(cmd.Process.Pid) {
					syscall.Kill(pid, syscall.SIGTERM)
				}
				time.Sleep(max(wait, 0))
				if wait > 0 {
					cmd.Process.Signal(syscall.SIGTERM)
				}
				cmd.Wait()
				c.ended(cmd, said, crawl.ExitStopped)
				c.wants(said.String(), "stopped")
				c.nobodyCharged(said)
			})
		}
	}
}

// A run that takes longer than its timeout has failed.
func TestTimeout(t *testing.T) {
	c := newCrawl(t, oneBatch+"timeout = \"200ms\"\nshell = \"sleep 100\"\n", "s1", "1\n")
	c.wants(c.run(crawl.ExitFailed), "failed: not done after its timeout of 200ms")
}

// A service runs as long as the crawl: it is ready before any stage starts, and
// stopped last. When it dies, the run ends.
func TestService(t *testing.T) {
	service := `
[service.helper]
shell = "echo $$ > pid; touch up; printf 'at \\e[1m8099\\n'; exec sleep 100"
`
	c := newCrawl(t, oneStage+"shell = \"test -e up; cp {in} {b}\"\n"+service, "s1", "1\n", "s2", "2\n", "s3", "3\n")
	c.wants(c.run(crawl.ExitDone), "service helper is ready: at \\x1b[1m8099\n")
	pid := c.pid("pid")
	if err := syscall.Kill(pid, 0); err == nil {
		t.Errorf("the service %d still runs", pid)
	}

	c = newCrawl(t, oneStage+"shell = \"sleep 0.5; cp {in} {b}\"\n"+strings.Replace(service, "exec sleep 100",
		"sleep 0.2", 1),
		"s1", "1\n", "s2", "2\n", "s3", "3\n")
	c.wants(c.run(crawl.ExitStopped), "service helper ended by itself (0)")

	c = newNumbers(t, "shell = \"cp {in} {b}\"\n[service.helper]\nrun = \"false\"")
	c.wants(c.run(crawl.ExitBad), "service helper: it ended (1) before it was ready")
}

// A stage without inputs starts by the clock: first at the start, then once a
// period; and the crawl does not end before it has run after the last batch. On a slow
// machine it ticks more often than three times before that.
func TestClockStage(t *testing.T) {
	const every = 300 * time.Millisecond
	c := newCrawl(t, `
[queue.b]
ext = "txt"
[stage.tick]
out   = "b"
every = "300ms"
shell = "echo >> ticks; if [ $(wc -l < ticks) -lt 3 ]; then echo tick > {b}; fi"
[stage.use]
in  = "b"
out = "c"
run = "cp {in} {c}"
`)
	c.run(crawl.ExitDone)
	var ticks []time.Time
	used, last := 0, ""
	_, err := txlog.History(c.path("crawl"), txlog.Position{}, func(r txlog.Record) error {
		done, ok := r.(*txlog.Commit)
		if !ok {
			return nil
		}
		if last = done.Stage; last == "use" {
			used++
		} else {
			ticks = append(ticks, done.Run.Start)
		}
		return nil
	}, nil)
	if err != nil || len(ticks) < 3 || used != 2 || last != "tick" {
		t.Fatalf("%d ticks, %d used, %q at the end (%v); want two that left a batch, and one after", len(ticks), used,
			last, err)
	}
	for i := 1; i < len(ticks); i++ {
		if gap := ticks[i].Sub(ticks[i-1]); gap < every-time.Millisecond { // the log rounds
			t.Errorf("ticks %s apart, want %s", gap, every)
		}
	}
}

// A run as root is warned of, and no other.
func TestRootIsWarned(t *testing.T) {
	said := newNumbers(t, `run = "cp {in} {b}"`).run(crawl.ExitDone)
	if warned := strings.Contains(said, "run as root"); warned != (os.Geteuid() == 0) {
		t.Errorf("user %d was told\n%s", os.Geteuid(), said)
	}
}

// Outputs that are all empty end a cycle.
func TestEmptyOutputsEnd(t *testing.T) {
	c := newCrawl(t, `
seeds = { a = "s1" }
[stage.one]
in    = "a"
out   = "b"
shell = ": > {b}"
[stage.two]
in  = "b"
out = "a"
run = "cp {in} {a}"
`, "s1", "1\n")
	c.run(crawl.ExitDone)
	if n := len(c.state().Files()); n != 0 {
		t.Errorf("%d batches are left", n)
	}
}

// Seeds come in once per content; new content comes in beside the old.
func TestSeedsOncePerContent(t *testing.T) {
	c := newCrawl(t, oneBatch+"run = \"cp {in} {b}\"\n", "s1", "1\n")
	c.run(crawl.ExitDone)
	c.run(crawl.ExitDone)
	c.holds("b", "1\n")
	c.write("s1", "2\n")
	c.run(crawl.ExitDone)
	c.holds("b", "1\n2\n")
}
