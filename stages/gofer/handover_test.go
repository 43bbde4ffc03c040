package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/testkit/stagetest"
	"multitext/txlog/crash"
)

var handovers = flag.Int("handovers", 8, "interrupted hand-overs that each test of them makes")

// A transport is what a chain of interrupted hand-overs goes over. DIR in its texts is the chain's
// folder.
type transport struct {
	url  string // of nodes.toml
	args string // more flags of gofer pull
	put  func(dir, peer, name string, content []byte) error
	held func(dir, peer string) ([]string, error)

	// meanwhile does harm while a manager runs, until the context ends; nil: none.
	meanwhile func(ctx context.Context)
}

// folders is the transport of one machine.
func folders() transport {
	at := func(dir, peer string) string { return filepath.Join(dir, outgoing(peer)) }
	return transport{
		url: "file:DIR/$FROM/outgoing/$TO",
		put: func(dir, peer, name string, content []byte) error {
			if err := os.MkdirAll(at(dir, peer), 0o777); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(at(dir, peer), name), content, 0o666)
		},
		held: func(dir, peer string) (names []string, err error) {
			entries, err := os.ReadDir(at(dir, peer))
			for _, e := range entries {
				names = append(names, e.Name())
			}
			return names, err
		},
	}
}

// A line is programs, built so that they can be killed, and what the batches go over.
type line struct {
	transport
	bin string
	env string // of gofer: the failpoints that are executed
}

// programs are those of all lines.
var programs = crash.Programs{Build: crash.BuildFaulty,
	Packages: []string{"./manager", "./stages/classify", "./stages/filter", "./stages/gofer"}}

func TestMain(m *testing.M) {
	code := m.Run()
	programs.Remove()
	os.Exit(code)
}

// newLine is a line whose gofer has the given defects.
func newLine(t *testing.T, over transport, defects ...string) *line {
	t.Helper()
	return &line{transport: over, bin: programs.Dir(t), env: crash.Failpoints(t, defects...)}
}

const world = `
flow = 1
dir  = "crawl"
[queue.incoming]
ext = "warc.gz"
[queue.incoming_links]
[stage.gofer]
every = "20ms"
wait  = "10ms"
retry = 1000
out   = ["incoming", "incoming_links"]
state = "ledger"
env   = ["MULTITEXT_STEPS", "MULTITEXT_KILL_MARK", "MULTITEXT_FAILPOINTS", "AWS_ACCESS_KEY_ID",
         "AWS_SECRET_ACCESS_KEY", "AWS_CA_BUNDLE"]
run   = """
  gofer pull -nodes nodes.toml -node world -ledger {ledger} -new {ledger.new}
    -pages {incoming} -urls {incoming_links} -report {report} ARGS"""
[stop]
records = { incoming = 1000, incoming_links = 1000 }  # no defect lets it go on for ever
`

// A chain is one folder in which hand-overs are interrupted again and again.
type chain struct {
	*line
	testing.TB
	dir   string
	seed  uint64
	rnd   *rand.Rand
	tx    int
	pages []string // that the crawl must have in the end, each once
	urls  []string
	stay  map[string][]string // names that must be at a peer in the end
	told  []string            // where it was killed
}

func (l *line) newChain(t testing.TB, seed uint64) (*chain, error) {
	dir, err := os.MkdirTemp("/dev/shm", "multitext-gofer-")
	if err != nil {
		if dir, err = os.MkdirTemp("", "multitext-gofer-"); err != nil {
			return nil, err
		}
	}
	c := &chain{line: l, TB: t, dir: dir, seed: seed, rnd: rand.New(rand.NewPCG(seed, 0)), stay: map[string][]string{}}
	nodes := crewOf(c.here(l.url), "arts", "law", "world")
	return c, errors.Join(os.WriteFile(filepath.Join(dir, "nodes.toml"), []byte(nodes), 0o666),
		os.WriteFile(filepath.Join(dir, "world.toml"), []byte(strings.Replace(world, "ARGS", c.here(l.args), 1)),
			0o666))
}

// here puts the chain's folder into a text.
func (c *chain) here(text string) string { return strings.ReplaceAll(text, "DIR", c.dir) }

// wave lets both peers hold batches of pages and of URLs, each peer a torn one among them. Those
// held again are such as a peer made anew has, whose transactions count from 1.
func (c *chain) wave(again bool) error {
	var errs []error
	hold := func(peer, ext string, whole, content []byte) string {
		c.tx++
		name := fmt.Sprintf("%016x-%012d-00001.%s", xxhash.Sum64(whole), c.tx, ext)
		errs = append(errs, c.put(c.dir, peer, name, content))
		return name
	}
	if again {
		c.tx = 0
	}
	for _, peer := range []string{"arts", "law"} {
		for i := range 3 {
			urls := []string{fmt.Sprintf("http://%s.test/%d", peer, i), fmt.Sprintf("http://%s.test/%d/x", peer, i)}
			page, url := pageBatch(c, urls...), urlBatch(c, strings.Join(urls, "\n"))
			hold(peer, "warc.gz", page, page)
			hold(peer, "zst", url, url)
			if !again {
				c.pages, c.urls = append(c.pages, urls...), append(c.urls, urls...)
			}
		}
		if again {
			c.tx++
			continue
		}
		// Cut between two pages, so that nothing but its hash tells.
		torn := pageBatch(c, "http://torn.test/1", "http://torn.test/2")
		c.stay[peer] = append(c.stay[peer], hold(peer, "warc.gz", torn, torn[:len(pageBatch(c, "http://torn.test/1"))]))
	}
	return errors.Join(errs...)
}

// patience bounds a run of the manager.
const patience = 2 * time.Minute

// crawl runs world's crawl until it has nothing to do, or is killed.
func (c *chain) crawl(env ...string) (killed bool, err error) {
	return c.manage("world.toml", nil, env...)
}

// manage is crawl for any script, with more arguments.
func (c *chain) manage(script string, args []string, env ...string) (killed bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	said, err := os.CreateTemp(c.dir, "stderr")
	if err != nil {
		return false, err
	}
	defer said.Close()
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, "manager"),
		append(append([]string{"run"}, args...), filepath.Join(c.dir, script))...)
	cmd.Env = append(append(os.Environ(), crash.KillMark+"="+c.mark(), c.env), env...)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGQUIT) }
	cmd.WaitDelay = 5 * time.Second
	if c.meanwhile != nil {
		harm, end := context.WithCancel(ctx)
		var done sync.WaitGroup
		done.Go(func() { c.meanwhile(harm) })
		defer done.Wait()
		defer end()
	}
	err = cmd.Run()
	if cmd.ProcessState == nil {
		return false, err
	}
	if cmd.ProcessState.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
		return true, nil
	}
	if err != nil {
		text, _ := os.ReadFile(said.Name())
		return false, fmt.Errorf("the manager ended with %w; it said\n%s", err, text)
	}
	return false, nil
}

func (c *chain) mark() string { return filepath.Join(c.dir, "killed") }

// kills is how often a process has killed itself since the last call.
func (c *chain) kills() int {
	text, _ := os.ReadFile(c.mark())
	os.Remove(c.mark())
	for at := range strings.Lines(string(text)) {
		c.told = append(c.told, strings.TrimSpace(strings.ReplaceAll(at, c.dir, "")))
	}
	return bytes.Count(text, []byte("\n"))
}

// killGofer runs the crawl, in which gofer is killed before each of the given steps in turn.
func (c *chain) killGofer(steps ...int) (fired int, err error) {
	_, err = c.crawl(crash.Steps + "=" + strings.Trim(fmt.Sprint(steps), "[]"))
	return c.kills(), err
}

// killManager runs the crawl to each of the given changes of its manager in turn, where it is
// killed.
func (c *chain) killManager(changes ...int) (fired int, err error) {
	for _, at := range changes {
		killed, err := c.crawl(crash.KillAt + "=" + strconv.Itoa(at))
		n := c.kills()
		if !killed || err != nil {
			return fired, err
		}
		fired += n
	}
	return fired, nil
}

// end holds what the crawl has against what it must have.
func (c *chain) end() error {
	got := c.contents("crawl/incoming*/*")
	errs := []error{same("pages", got[pages], c.pages), same("URLs", got[urls], c.urls)}
	for _, peer := range []string{"arts", "law"} {
		names, err := c.held(c.dir, peer)
		errs = append(errs, err, same("at "+peer, names, c.stay[peer]))
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("killed at %q: %w", c.told, err)
	}
	return nil
}

// contents are the records in the batches that the patterns fit.
func (c *chain) contents(patterns ...string) (got [kinds][]string) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(c.dir, pattern))
		if err != nil {
			c.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, ".zst") {
				got[urls] = append(got[urls], stagetest.Lines(c, file)...)
			} else {
				got[pages] = append(got[pages], pagesIn(c, file)...)
			}
		}
	}
	return got
}

func same(what string, got, want []string) error {
	got, want = slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))
	if slices.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("%s: %q, want\n%q", what, got, want)
}

// A fault is how a chain's runs are disturbed: it runs the crawl to its end and tells how often it
// was interrupted.
type fault func(*chain) (fired int, err error)

// goferKilled kills gofer three times. A run that brings all has some 54 steps, one that removes
// some 17. The first kills of 64 chains are before each of 64 steps.
func goferKilled(c *chain) (int, error) {
	return c.killGofer(1+int(c.seed*37%64), 1+c.rnd.IntN(54), 1+c.rnd.IntN(17))
}

// managerKilled kills the manager up to four times. It makes some 40 changes for each run of gofer.
func managerKilled(c *chain) (int, error) {
	return c.killManager(1+c.rnd.IntN(60), 1+c.rnd.IntN(60), 1+c.rnd.IntN(30), 1+c.rnd.IntN(30))
}

// interrupt makes a chain: hand-overs that are disturbed, then others from peers made anew, which
// hold the same batches under the same names, and then new ones.
func (l *line) interrupt(t testing.TB, seed uint64, f fault) (fired int, err error) {
	c, err := l.newChain(t, seed)
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(c.dir)
	for _, again := range []bool{false, true} {
		if err := c.wave(again); err != nil {
			return fired, err
		}
		n, err := f(c)
		fired += n
		if err != nil {
			return fired, fmt.Errorf("killed at %q: %w", c.told, err)
		}
		if err := c.settled(); err != nil {
			return fired, err
		}
	}
	return fired, nil
}

// settled starts the crawl again until all is as it must be, as who runs it would: a manager whose
// gofer was there when the link was lost ends all the same.
func (c *chain) settled() (err error) {
	for range 5 {
		if err = c.end(); err == nil {
			return nil
		}
		if _, err := c.crawl(); err != nil {
			return err
		}
		time.Sleep(200 * time.Millisecond) // a stage that has failed rests
	}
	return err
}

// A chainMaker makes a chain by a number, and says how many hand-overs it has interrupted.
type chainMaker func(t *testing.T, seed uint64) (fired int, err error)

// by returns the maker of chains with a fault.
func (l *line) by(f fault) chainMaker {
	return func(t *testing.T, seed uint64) (int, error) { return l.interrupt(t, seed, f) }
}

// interruptAll makes chains until n hand-overs were interrupted, some at the same time.
func interruptAll(t *testing.T, n int, make chainMaker) {
	t.Helper()
	var fired, seed atomic.Int64
	var errs [4]error
	var workers sync.WaitGroup
	for i := range errs {
		workers.Go(func() {
			for fired.Load() < int64(n) && errs[i] == nil && seed.Load() < int64(2*n+10) {
				k, err := make(t, uint64(seed.Add(1)))
				fired.Add(int64(k))
				errs[i] = err
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d interrupted hand-overs in %d chains", fired.Load(), seed.Load())
	if fired.Load() < int64(n) {
		t.Errorf("only %d of %d hand-overs were interrupted", fired.Load(), n)
	}
}

// Hand-overs that are interrupted at any step of gofer's take effect once.
func TestHandoversGoferKilled(t *testing.T) {
	interruptAll(t, *handovers, newLine(t, folders()).by(goferKilled))
}

// So do those whose manager is killed, its recovery included.
func TestHandoversManagerKilled(t *testing.T) {
	interruptAll(t, *handovers, newLine(t, folders()).by(managerKilled))
}
