package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// crawler is one that is measured.
type crawler struct {
	name     string
	archives bool // writes WARC.gz; otherwise files
	// that crawls the web at an address, its files in dir, which is there and empty
	command func(dir, web string) []string
	before  func(dir string) error           // puts into dir what the command needs; or nil
	after   func(dir string) (*crawl, error) // says more of the crawl; or nil
	// starts what runs beside the crawl, and is not counted as the crawler's; or nil
	beside func(ctx context.Context, dir, web string) (end func() (beside, error), err error)
}

// crawl is what a crawl of multitext says of itself.
type crawl struct {
	Transactions int
	Stages       []stage
}

// stage is one of the script's, or the manager.
type stage struct {
	Name   string
	Runs   int
	CPU    float64 `json:"cpu_seconds"`
	Memory int64   `json:"peak_memory"`
}

// outing is one crawl of one crawler.
type outing struct {
	cost
	web    time.Duration // CPU time of the web
	fsyncs *int          // nil where they were not counted
	served *served
	saved  int    // URLs in the archive, or files
	crawl  *crawl // nil but for multitext
	beside beside // zero but for multitext with a window
}

// seed is the URL that every crawl starts from.
const seed = "http://h000.test/"

// crawlOnce lets c crawl the wanted pages of w in a new folder below dir, which goes away after.
func (c *crawler) crawlOnce(ctx context.Context, dir string, w *web, wanted int, watched bool) (*outing, error) {
	dir = filepath.Join(dir, c.name)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if c.before != nil {
		if err := c.before(dir); err != nil {
			return nil, err
		}
	}
	settle()
	words := c.command(dir, w.address)
	trace := filepath.Join(dir, "trace")
	if watched && c.after != nil {
		words = append(strace(trace), words...)
	}
	cmd := command(ctx, dir, words)
	said := &tail{}
	cmd.Stdout, cmd.Stderr = said, said
	endBeside := func() (beside, error) { return beside{}, nil }
	if c.beside != nil {
		var err error
		if endBeside, err = c.beside(ctx, dir, w.address); err != nil {
			return nil, err
		}
	}
	webBefore := cpuOf(w.cmd.Process.Pid)
	cost, err := measure(cmd, watched)
	took, errBeside := endBeside()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r := &outing{cost: cost, web: cpuOf(w.cmd.Process.Pid) - webBefore, beside: took}
	if errBeside != nil {
		return nil, errBeside
	}
	if err != nil && !tolerated(cmd) {
		return nil, fmt.Errorf("%s: %w; it said\n%s", c.name, err, said)
	}
	if r.served, err = w.ask("hosts=1&reset=1"); err != nil {
		return nil, err
	}
	if got := r.served.Kinds["page"].Distinct; got != wanted {
		return nil, fmt.Errorf("%s had %d of %d pages and ended; it said\n%s", c.name, got, wanted, said)
	}
	if r.saved, err = c.checkSaved(dir, r.served); err != nil {
		return nil, err
	}
	if c.after != nil {
		if r.crawl, err = c.after(dir); err != nil {
			return nil, err
		}
		r.crawl.addManager(cost.cpu.Seconds())
		if text, err := os.ReadFile(trace); err == nil {
			n := calls(string(text))
			r.fsyncs = &n
		}
	}
	return r, nil
}

// tolerated tells whether an exit code that is not 0 is one that cmd has after a whole crawl, too:
// wget and wget2 have 8 where a server answered 404.
func tolerated(cmd *exec.Cmd) bool {
	return strings.HasPrefix(filepath.Base(cmd.Path), "wget") && cmd.ProcessState.ExitCode() == 8
}

func command(ctx context.Context, dir string, words []string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir, "TMPDIR="+dir) // what it keeps of its user, it keeps there
	endWithUs(cmd)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = time.Minute
	return cmd
}

// tail keeps the end of what is written to it.
type tail struct{ text []byte }

const tailLength = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p...)
	if extra := len(t.text) - tailLength; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	if len(t.text) == 0 {
		return "nothing"
	}
	return string(t.text)
}
