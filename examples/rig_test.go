// Package examples holds crawls that can be run, and the tests that run them: the
// built programs, a real web on a loopback address, and what they leave held
// against what is known otherwise.
package examples

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"multitext/txlog"
	"multitext/txlog/crash"
)

// A bench is a folder with a script, and the programs that run it.
type bench struct {
	t      testing.TB
	bin    string
	dir    string
	script string // its name in dir
	web    string // address of the web
	crawl  string // the crawl's folder in dir; "" is crawl
	env    string // an entry more of the manager's environment
}

// The programs of all tests: as users have them, and with failpoints those of crawls.
var (
	plain  = crash.Programs{Build: crash.Build, Packages: []string{"./..."}}
	faulty = crash.Programs{Build: crash.BuildFaulty,
		Packages: []string{"./manager", "./stages/...", "./examples/testweb", "./examples/c4"}}
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := moreAtOnce(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	plain.Remove()
	faulty.Remove()
	chromium.remove()
	os.Exit(code)
}

// moreAtOnce has twice as many tests run at the same time as go test would, unless -parallel is
// given: crawls wait for their hosts half of the time.
func moreAtOnce() error {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if given {
		return nil
	}
	return flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
}

// programs is the folder of all programs.
func programs(t testing.TB) string { return plain.Dir(t) }

// newBench copies an example's folder and changes its script.
func newBench(t testing.TB, bin, example, script string, changes ...string) *bench {
	t.Helper()
	b := &bench{t: t, bin: bin, dir: t.TempDir(), script: script, web: freeAddress(t)}
	if err := os.CopyFS(b.dir, onlyFiles(t, example)); err != nil {
		t.Fatal(err)
	}
	b.change(changes...)
	return b
}

// change rewrites the script: old, new, old, new, and each old must be there. WEB stands for the
// address of the web.
func (b *bench) change(changes ...string) {
	b.t.Helper()
	text := b.read(b.script)
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			b.t.Fatalf("the script %s does not hold %q", b.script, changes[i])
		}
		text = strings.ReplaceAll(text, changes[i], strings.ReplaceAll(changes[i+1], "WEB", b.web))
	}
	b.write(b.script, text)
}

// onlyFiles is an example's folder without what a crawl left there.
func onlyFiles(t testing.TB, example string) dirFiles {
	t.Helper()
	return dirFiles{os.DirFS(example)}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// crawlPath is a place in the crawl's folder.
func (b *bench) crawlPath(name string) string {
	return b.path(filepath.Join(cmp.Or(b.crawl, "crawl"), name))
}

func (b *bench) path(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(b.path(name))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	if err := os.WriteFile(b.path(name), []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

// manager prepares a call of the manager on the script.
func (b *bench) manager(verb string, args ...string) (*exec.Cmd, *bytes.Buffer) {
	cmd := exec.Command(filepath.Join(b.bin, "manager"), append([]string{verb, b.path(b.script)}, args...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), b.env)
	return cmd, &said
}

// run runs the crawl to its end.
func (b *bench) run(wantCode int) string {
	b.t.Helper()
	cmd, said := b.manager("run")
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != wantCode {
		b.t.Fatalf("exit code %d, want %d; it said\n%s", code, wantCode, said)
	}
	return said.String()
}

// output runs a program to its end and returns what it printed.
func (b *bench) output(program string, args ...string) string {
	b.t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("%s %v: %v", program, args, err)
	}
	return string(out)
}

// records hands out every transaction of the whole history.
func (b *bench) records(each func(txlog.Record)) {
	b.t.Helper()
	_, err := txlog.History(b.crawlPath("."), txlog.Position{}, func(r txlog.Record) error { each(r); return nil }, nil)
	if err != nil {
		b.t.Fatal(err)
	}
}

// state is what the log says.
func (b *bench) state() *txlog.State {
	b.t.Helper()
	rp, err := txlog.Load(b.crawlPath("log"))
	if err != nil {
		b.t.Fatal(err)
	}
	return rp.State
}

// law sums every transaction: what came in went out or has a reason. It returns
// the number of transactions that had a report.
func (b *bench) law() (reported int, err error) {
	b.t.Helper()
	var read, accounted int64
	b.records(func(r txlog.Record) {
		c, ok := r.(*txlog.Commit)
		if !ok || c.Read < 0 {
			return
		}
		reported++
		read += c.Read
		for _, o := range c.Outputs {
			if !o.Made {
				accounted += o.Records
			}
		}
		for _, why := range c.Reasons {
			accounted += why.N
		}
	})
	if read != accounted {
		err = fmt.Errorf("%d records read over all transactions, %d accounted for", read, accounted)
	}
	return reported, err
}
