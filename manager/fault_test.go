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
	cmd, said := c.command("run")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		c.t.Fatalf("exit code %d, want %d; it said\n%s", code, wantCode, said)
	}
	return said.String()
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
	if got := c.content("b"); got != "one\nthree\n" {
		t.Errorf("the others became %q", got)
	}
	if kept, err := filepath.Glob(c.path("crawl/failed/*")); err != nil || len(kept) != 1 {
		t.Errorf("stderr kept in %v (%v), want one file", kept, err)
	}
	if got := c.content("a"); got != "poison\n" {
		t.Errorf("set aside is %q", got)
	}
}

// Exit 75 for ever charges nobody and never ends by itself.
func TestTryLaterForEver(t *testing.T) {
	c := newCrawl(t, strings.Replace(oneStage, `"s1", "s2", "s3"`, `"s1"`, 1)+`
run = "sh -c 'exit 75'"
[stop]
time = "1s"
`, "s1", "one\n")
	said := c.run(crawl.ExitLimit)
	c.wants(said, "says: try later; a/m-000000000001-00001 waits until")
	for _, b := range c.state().Batches() {
		m := b.Mark("work")
		if m.Fails != 0 || m.Laters < 4 || m.Aside {
			t.Errorf("the mark is %+v, want several times later and no failure", m)
		}
	}
}

// What a stage leaves is judged: each lie fails the run, says why, and leaves
// nothing in the queue.
func TestLyingStages(t *testing.T) {
	for name, tc := range map[string]struct{ shell, said string }{
		"another name":  {`cp {in} {b}; cp {in} {b}.more`, `it left b/"m-000000000002-00001.txt.more"; outputs are files named NAME-000000000002-NNNNN.txt`},
		"another stage": {`cp {in} $(dirname {b})/m-000000000001-00001.txt`, `it left b/"m-000000000001-00001.txt"`},
		"wrong size":    {`cp {in} {b}; printf 'in 1\nout %s 1 99 0123456789abcdef\n' {b} > {report}`, "it reports 99 bytes in b/m-000000000002-00001.txt, which has 4"},
		"not there":     {`printf 'in 1\nout %s 1 4 0123456789abcdef\n' {b} > {report}`, "it reports 1 records in "},
		"not reported":  {`cp {in} {b}; printf 'in 1\nreason lost 1\n' > {report}`, "it left b/m-000000000002-00001.txt and does not report it"},
		"lost a record": {`cp {in} {b}; printf 'in 2\nout %s 1 4 0123456789abcdef\n' {b} > {report}`, "by its report 2 records came in (in), 1 went out (out) and 0 have a reason (reason): these two must come to the first; a record that goes no further needs a reason"},
		"no report":     {`cp {in} {b}; echo nonsense > {report}`, `line 1 of the report that it wrote to {report}, "nonsense": no line begins with "nonsense"; there are: because, `},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, strings.NewReplacer(`"s1", "s2", "s3"`, `"s1"`, "retry = 1", "retry = 0").Replace(oneStage)+
				"shell = '''"+tc.shell+"'''\n", "s1", "one\n")
			c.wants(c.run(crawl.ExitFailed), tc.said)
			if got := c.content("b"); got != "" {
				t.Errorf("%q was committed", got)
			}
			if got := c.content("a"); got != "one\n" {
				t.Errorf("the input is %q now", got)
			}
		})
	}
}

// A grandchild that goes on writing is ended before the outputs are judged, also
// one that has left its group as a daemon does.
func TestGrandchildLeftWriting(t *testing.T) {
	for name, shell := range map[string]string{
		"in the group": "(while :; do echo more; done >> {b}) & echo $! > pid; sleep 0.05",
		"a daemon":     "out={b}; export out; setsid sh -c 'echo $$ > pid; while :; do echo more; done >> $out' & until [ -s pid -a -s $out ]; do sleep 0.01; done",
	} {
		t.Run(name, func(t *testing.T) { grandchildLeftWriting(t, shell) })
	}
}

func grandchildLeftWriting(t *testing.T, shell string) {
	c := newCrawl(t, strings.Replace(oneStage, `"s1", "s2", "s3"`, `"s1"`, 1)+"shell = \"\"\""+shell+"\"\"\"\n", "s1", "one\n")
	c.run(crawl.ExitDone)
	text, err := os.ReadFile(c.path("pid"))
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
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

// A live file that somebody removed or changed ends the next start before it
// changes anything.
func TestInputDeletedByHand(t *testing.T) {
	c := newCrawl(t, oneStage+`run = "cp {in} {b}"`+"\n[stop]\nrecords = { b = 1000000 }\ntime = \"1ms\"\n", "s1", "one\n", "s2", "two\n", "s3", "three\n")
	c.run(crawl.ExitLimit)
	before := c.state()
	if err := os.Remove(c.path("crawl/a/m-000000000002-00001")); err != nil {
		t.Fatal(err)
	}
	c.write("crawl/a/m-000000000003-00001", "cut")
	said := c.run(crawl.ExitDamaged)
	c.wants(said, "2 live files are damaged; nothing was changed")
	c.wants(said, "a/m-000000000002-00001 is gone")
	c.wants(said, "a/m-000000000003-00001 has 3 bytes, the log says 6")
	if after := c.state(); after.Generation() != before.Generation() || len(after.Files()) != len(before.Files()) {
		t.Errorf("the log changed: %+v", after)
	}
}

// A directory with something in it and no log is refused, and left alone.
func TestForeignDirectory(t *testing.T) {
	c := newCrawl(t, oneStage+`run = "cp {in} {b}"`, "s1", "", "s2", "", "s3", "")
	if err := os.MkdirAll(c.path("crawl/b"), 0o777); err != nil {
		t.Fatal(err)
	}
	c.write("crawl/b/m-000000000001-00001.txt", "precious")
	c.wants(c.run(crawl.ExitDamaged), "the directory holds files but no transaction log")
	if got := c.content("b"); got != "precious" {
		t.Errorf("the foreign file is %q now", got)
	}
}

// A second manager is told who holds the crawl. When the first is killed, what it left
// running is ended and the work is done again: what has left its group and holds the
// lock, though it has emptied its environment; what has closed the lock, as a subprocess
// of Python does, and what that has started; and what a service left in the same way.
func TestSecondManagerAndOrphans(t *testing.T) {
	for name, tc := range map[string][2]string{
		"holds the lock":        {"env -i MT_OUT_b=$MT_OUT_b setsid sh work"},
		"has closed the lock":   {"setsid sh work 3>&-"},
		"started by such a one": {"setsid sh -c 'sh work & sleep 0.1' 3>&-"},
		"left by a service":     {":", "[service.s]\nrun = \"sh -c 'setsid sh work 3>&- >/dev/null 2>&1 & echo; exec sleep 100'\"\n"},
	} {
		t.Run(name, func(t *testing.T) { secondManagerAndOrphans(t, tc[0], tc[1]) })
	}
}

func secondManagerAndOrphans(t *testing.T, start, service string) {
	c := newCrawl(t, strings.Replace(oneStage, `"s1", "s2", "s3"`, `"s1"`, 1)+`
shell = '''
if [ ! -e again ]; then
  echo half > {b}
  sh start &
  echo > begun
  sleep 100
fi
cp {in} {b}
'''
`+service, "s1", "one\n", "start", start, "work", "echo $$ > pid; mv pid orphan; while :; do echo late >> ${MT_OUT_b:-late}; sleep 0.01; done")
	first, _ := c.command("run")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	c.wait("orphan")
	c.wait("begun")
	said := c.run(crawl.ExitHeld)
	c.wants(said, fmt.Sprintf("another manager holds %s: process %d, since ", c.path("crawl"), first.Process.Pid))
	first.Process.Kill()
	first.Wait()
	c.write("again", "")
	text, err := os.ReadFile(c.path("orphan"))
	if err != nil {
		t.Fatal(err)
	}
	orphan, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	if err := syscall.Kill(orphan, 0); err != nil {
		t.Fatalf("the orphan %d does not run: %v; nothing is tested", orphan, err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			syscall.Kill(orphan, syscall.SIGKILL)
		}
	})
	said = c.run(crawl.ExitDone)
	c.wants(said, "roll back transaction 2 of work")
	if got := c.content("b"); got != "one\n" {
		t.Errorf("the output is %q", got)
	}
	if zombie, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", orphan)); len(zombie) > 0 && !strings.Contains(string(zombie), ") Z ") {
		t.Errorf("the orphan %d still runs", orphan)
	}
}

// On a full disk nobody is charged: a stage that finds no room is tried again
// later, nothing starts beyond the edge, the manager says so and goes on by
// itself when there is room.
func TestFullDisk(t *testing.T) {
	for name, tc := range map[string]struct {
		filler int64
		said   string
	}{
		"within the stage": {2 << 20, "failed: the disk is full; it is tried again in "},
		"before the stage": {7 << 19, "nothing starts: "},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, strings.NewReplacer(`"s1", "s2", "s3"`, `"s1"`, "retry = 1", "retry = 0").Replace(oneStage)+
				"shell = '''head -c 3000000 /dev/zero > {b}'''\n[limit]\ndisk = \"1MB\"\n", "s1", "one\n")
			release := c.smallDisk(4<<20, tc.filler)
			cmd, said := c.command("run")
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(1500 * time.Millisecond)
			release()
			if err := cmd.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			c.wants(said.String(), tc.said)
			if n := len(c.content("b")); n != 3000000 {
				t.Errorf("the output has %d bytes after there was room", n)
			}
			if st := c.state().Stage("work"); st.Row != 0 {
				t.Errorf("%d failures are charged to a full disk", st.Row)
			}
		})
	}
}

// smallDisk puts the crawl on a file system of its own, with a filler on it that
// release takes away.
func (c *crawlFolder) smallDisk(size, filler int64) (release func()) {
	c.t.Helper()
	if err := os.Mkdir(c.path("crawl"), 0o777); err != nil {
		c.t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", c.path("crawl"), "tmpfs", 0, fmt.Sprintf("mode=700,size=%d", size)); err != nil {
		c.t.Skipf("a small file system cannot be mounted here (it needs root): %v", err)
	}
	c.t.Cleanup(func() { syscall.Unmount(c.path("crawl"), syscall.MNT_DETACH) })
	f, err := os.Create(c.path("crawl/filler"))
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, filler)); err != nil {
		c.t.Fatal(err)
	}
	// An open file without a name fills the disk as well, and a crawl begins in
	// an empty directory only.
	if err := os.Remove(f.Name()); err != nil {
		c.t.Fatal(err)
	}
	return func() { f.Close() }
}
