package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/manager/internal/crawl"
	"multitext/txlog"
	"multitext/txlog/crash"
)

// A crawlFolder is a script with its files, and the manager that runs it.
type crawlFolder struct {
	t       *testing.T
	manager string
	dir     string
}

// newCrawl writes a script and its seed files, given as name, text, name, text.
func newCrawl(t *testing.T, flow string, files ...string) *crawlFolder {
	t.Helper()
	c := &crawlFolder{t: t, manager: filepath.Join(t.TempDir(), "manager"), dir: t.TempDir()}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// Called by this name, the test binary is the manager: see TestMain.
	if err := os.Symlink(self, c.manager); err != nil {
		t.Fatal(err)
	}
	c.write("crawl.toml", "flow = 1\ndir = \"crawl\"\n"+flow)
	for i := 0; i < len(files); i += 2 {
		c.write(files[i], files[i+1])
	}
	return c
}

func (c *crawlFolder) path(name string) string { return filepath.Join(c.dir, name) }

func (c *crawlFolder) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(c.path(name), []byte(text), 0o777); err != nil {
		c.t.Fatal(err)
	}
}

func (c *crawlFolder) command(verb string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := crash.Bounded(c.t, c.manager, append([]string{verb, c.path("crawl.toml")}, args...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	return cmd, &said
}

// run runs the manager to its end and returns what it said.
func (c *crawlFolder) run(wantCode int) string {
	c.t.Helper()
	return c.verb("run", wantCode)
}

// verb calls the manager with a verb and returns what it said.
func (c *crawlFolder) verb(verb string, wantCode int, args ...string) string {
	c.t.Helper()
	cmd, said := c.command(verb, args...)
	cmd.Run()
	c.ended(cmd, said, wantCode)
	return said.String()
}

// ended wants a manager that has ended to have done so with a code.
func (c *crawlFolder) ended(cmd *exec.Cmd, said *bytes.Buffer, wantCode int) {
	c.t.Helper()
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		c.t.Fatalf("%s: exit code %d, want %d; it said\n%s", cmd.Args[1], code, wantCode, said)
	}
}

// start starts a run of the manager.
func (c *crawlFolder) start(env ...string) (*exec.Cmd, *bytes.Buffer) {
	c.t.Helper()
	cmd, said := c.command("run")
	cmd.Env = append(os.Environ(), env...)
	if err := cmd.Start(); err != nil {
		c.t.Fatal(err)
	}
	return cmd, said
}

// holds wants the batches of a queue, one behind the other, to be a text.
func (c *crawlFolder) holds(queue, text string) {
	c.t.Helper()
	if got := c.content(queue); got != text {
		c.t.Errorf("queue %s holds %q, want %q", queue, got, text)
	}
}

// nobodyCharged wants no batch to have a mark.
func (c *crawlFolder) nobodyCharged(said *bytes.Buffer) {
	c.t.Helper()
	for name, b := range c.state().Batches() {
		if len(b.Marks) > 0 {
			c.t.Errorf("%s was charged: %+v\n%s", name, b.Marks, said)
		}
	}
}

// pid reads the number of a process from a file that it left.
func (c *crawlFolder) pid(name string) int {
	c.t.Helper()
	text, err := os.ReadFile(c.path(name))
	if err != nil {
		c.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		c.t.Fatal(err)
	}
	return pid
}

func (c *crawlFolder) wants(said, part string) {
	c.t.Helper()
	if !strings.Contains(said, part) {
		c.t.Errorf("it did not say %q but\n%s", part, said)
	}
}

// content joins the batches of a queue.
func (c *crawlFolder) content(queue string) string {
	c.t.Helper()
	files, err := filepath.Glob(c.path("crawl/" + queue + "/*"))
	if err != nil {
		c.t.Fatal(err)
	}
	var all []byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, text...)
	}
	return string(all)
}

func (c *crawlFolder) state() *txlog.State {
	c.t.Helper()
	rp, err := txlog.Load(c.path("crawl/log"))
	if err != nil {
		c.t.Fatal(err)
	}
	return rp.State
}

// wait waits until a file exists.
func (c *crawlFolder) wait(name string) {
	c.t.Helper()
	for range 2000 {
		if _, err := os.Stat(c.path(name)); err == nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("%s was never made", name)
}

// waitText waits until a file contains a text.
func (c *crawlFolder) waitText(name, text string) {
	c.t.Helper()
	var content []byte
	for range 2000 {
		content, _ = os.ReadFile(c.path(name))
		if strings.Contains(string(content), text) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("%s never contained %q but\n%s", name, text, content)
}

const oneStage = `
seeds = { a = ["s1", "s2", "s3"] }
[queue.a]
ext = "txt"
[queue.b]
ext = "txt"
[stage.work]
in    = "a"
out   = "b"
retry = 1
wait  = "10ms"
`

// oneBatch is oneStage with a single batch, whose first failure is its last.
var oneBatch = strings.NewReplacer(`"s1", "s2", "s3"`, `"s1"`, "retry = 1", "retry = 0").Replace(oneStage)

// newNumbers is a crawl of oneStage with the batches 1, 2 and 3.
func newNumbers(t *testing.T, rest string) *crawlFolder {
	t.Helper()
	return newCrawl(t, oneStage+rest+"\n", "s1", "1\n", "s2", "2\n", "s3", "3\n")
}

// A stage that dies of one batch: the batch alone is set aside, the others pass.
func TestSegfaultOnOneBatch(t *testing.T) {
	c := newCrawl(t, oneStage+`
take  = 3
shell = "if grep -q poison {in}; then echo dying of it >&2; kill -SEGV $$; fi; cat {in} > {b}"
`, "s1", "one\n", "s2", "poison\n", "s3", "three\n")
	said := c.run(crawl.ExitFailed)
	c.wants(said, "failed: exit signal: segmentation fault; a/m-000000000001-00001 will be run alone")
	c.wants(said, "a/m-000000000002-00001 is set aside after 2 tries")
	c.wants(said, "| dying of it")
	c.wants(said, "set aside by work: 1 batch")
	c.holds("b", "one\nthree\n")
	if kept, err := filepath.Glob(c.path("crawl/failed/*")); err != nil || len(kept) != 1 {
		t.Errorf("stderr kept in %v (%v), want one file", kept, err)
	}
	c.holds("a", "poison\n")
}

// A stage that always exits with 75 is not charged, and the crawl does not end by itself.
func TestTryLaterForEver(t *testing.T) {
	long(t)
	c := newCrawl(t, oneBatch+`
run = "sh -c 'exit 75'"
[stop]
time = "1s"
`, "s1", "one\n")
	c.wants(c.run(crawl.ExitLimit), "says: try later; a/m-000000000001-00001 waits until")
	mark := func() (m txlog.Mark) {
		for _, b := range c.state().Batches() {
			m = b.Mark("work")
		}
		return m
	}
	for range 20 { // on a busy machine a second may hold one try
		if mark().Laters >= 4 {
			break
		}
		c.run(crawl.ExitLimit)
	}
	if m := mark(); m.Fails != 0 || m.Laters < 4 || m.Aside {
		t.Errorf("the mark is %+v, want several times later and no failure", m)
	}
}

// What a stage leaves is judged: each false report fails the run, says why, and leaves nothing in
// the queue.
func TestLyingStages(t *testing.T) {
	for name, tc := range map[string]struct{ shell, said string }{
		"another name": {`cp {in} {b}; cp {in} {b}.more`,
			`it wrote b/"m-000000000002-00001.txt.more"; outputs are files named NAME-000000000002-NNNNN.txt`},
		"another stage": {`cp {in} $(dirname {b})/m-000000000001-00001.txt`, `it wrote b/"m-000000000001-00001.txt"`},
		"wrong size": {`cp {in} {b}; printf 'in 1\nout %s 1 99 0123456789abcdef\n' {b} > {report}`,
			"it reports 99 bytes in b/m-000000000002-00001.txt, which has 4"},
		"not there": {`printf 'in 1\nout %s 1 4 0123456789abcdef\n' {b} > {report}`, "it reports 1 records in "},
		"not reported": {`cp {in} {b}; printf 'in 1\nreason lost 1\n' > {report}`,
			"it wrote b/m-000000000002-00001.txt but does not report it"},
		"lost a record": {`cp {in} {b}; printf 'in 2\nout %s 1 4 0123456789abcdef\n' {b} > {report}`,
			"by its report 2 records came in (in), 1 went out (out) and 0 have a reason (reason): " +
				"the last two must add up to the first; a dropped record needs a reason"},
		"no report": {`cp {in} {b}; echo nonsense > {report}`,
			`line 1 of the report that it wrote to {report}, "nonsense": ` +
				`no line begins with "nonsense"; there are: because, `},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, oneBatch+"shell = '''"+tc.shell+"'''\n", "s1", "one\n")
			c.wants(c.run(crawl.ExitFailed), tc.said)
			c.holds("b", "")
			c.holds("a", "one\n")
		})
	}
}

// A grandchild that goes on writing is ended before the outputs are judged, even if it has left its
// group as a daemon does.
func TestGrandchildLeftWriting(t *testing.T) {
	for name, shell := range map[string]string{
		"in the group": "(while :; do echo more; done >> {b}) & echo $! > pid; sleep 0.05",
		"a daemon": "out={b}; export out; setsid sh -c 'echo $$ > pid; while :; do echo more; done >> $out' & " +
			"until [ -s pid -a -s $out ]; do sleep 0.01; done",
	} {
		t.Run(name, func(t *testing.T) { grandchildLeftWriting(t, shell) })
	}
}

func grandchildLeftWriting(t *testing.T, shell string) {
	c := newCrawl(t, oneBatch+"shell = \"\"\""+shell+"\"\"\"\n", "s1", "one\n")
	c.run(crawl.ExitDone)
	pid := c.pid("pid")
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the grandchild %d still runs: %v", pid, err)
	}
	for name, b := range c.state().Batches() {
		got := c.content("b")
		if int64(len(got)) != b.Size || fmt.Sprintf("%016x", xxhash.Sum64String(got)) != b.Hash {
			t.Errorf("%s changed after it was committed: %d bytes, log says %d", name, len(got), b.Size)
		}
	}
}

// A second manager is told who holds the crawl. When the first is killed, what it left running is
// ended and the work is done again: a process that left its group and emptied its environment but
// holds the lock; one that closed the lock, as a subprocess of Python does, and what that started;
// and what a service left in the same way.
func TestSecondManagerAndOrphans(t *testing.T) {
	for name, tc := range map[string][2]string{
		"holds the lock":        {"env -i MT_OUT_b=$MT_OUT_b setsid sh work"},
		"has closed the lock":   {"setsid sh work 3>&-"},
		"started by such a one": {"setsid sh -c 'sh work & sleep 0.1' 3>&-"},
		"left by a service": {":",
			"[service.s]\nrun = \"sh -c 'setsid sh work 3>&- >/dev/null 2>&1 & echo; exec sleep 100'\"\n"},
	} {
		t.Run(name, func(t *testing.T) { secondManagerAndOrphans(t, tc[0], tc[1]) })
	}
}

func secondManagerAndOrphans(t *testing.T, start, service string) {
	c := newCrawl(t, oneBatch+`
shell = '''
if [ ! -e again ]; then
  echo half > {b}
  sh start &
  echo > begun
  sleep 100
fi
cp {in} {b}
'''
`+service, "s1", "one\n", "start", start, "work",
		"echo $$ > pid; mv pid orphan; while :; do echo late >> ${MT_OUT_b:-late}; sleep 0.01; done")
	first, _ := c.start()
	c.wait("orphan")
	c.wait("begun")
	c.wants(c.run(crawl.ExitHeld), fmt.Sprintf("another manager holds %s: process %d, since ", c.path("crawl"),
		first.Process.Pid))
	first.Process.Kill()
	first.Wait()
	c.write("again", "")
	orphan := c.pid("orphan")
	if err := syscall.Kill(orphan, 0); err != nil {
		t.Fatalf("the orphan %d does not run: %v; nothing is tested", orphan, err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			syscall.Kill(orphan, syscall.SIGKILL)
		}
	})
	c.wants(c.run(crawl.ExitDone), "roll back transaction 2 of work")
	c.holds("b", "one\n")
	if zombie, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", orphan)); len(zombie) > 0 &&
		!strings.Contains(string(zombie), ") Z ") {
		t.Errorf("the orphan %d still runs", orphan)
	}
}

// A full disk charges no batch: a stage that finds no room is tried again later, nothing starts
// below the limit, the manager says so, and goes on when there is room.
func TestFullDisk(t *testing.T) {
	long(t)
	for name, tc := range map[string]struct {
		filler int
		said   string
	}{
		"within the stage": {2 << 20, "failed: the disk is full; it is retried in "},
		"before the stage": {7 << 19, "nothing starts: "},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, oneBatch+"shell = '''head -c 3000000 /dev/zero > {b}'''\n[limit]\ndisk = \"1MB\"\n", "s1",
				"one\n")
			release, err := fill(c.dir, 4<<20, tc.filler)
			if err != nil {
				t.Skipf("a small file system cannot be mounted here (it needs root): %v", err)
			}
			t.Cleanup(func() { syscall.Unmount(c.path("crawl"), syscall.MNT_DETACH) })
			cmd, _ := c.command("run")
			said, err := os.Create(c.path("said"))
			if err != nil {
				t.Fatal(err)
			}
			defer said.Close()
			cmd.Stdout, cmd.Stderr = said, said
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			c.waitText("said", tc.said) // before it, the manager may not have seen yet that the disk is full
			release()
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			if n := len(c.content("b")); n != 3000000 {
				t.Errorf("the output has %d bytes after there was room", n)
			}
			if st := c.state().Stage("work"); st.Row != 0 {
				t.Errorf("%d failures are charged to a full disk", st.Row)
			}
		})
	}
}
