package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// a crawl runs the stage again and again on its state.
type crawl struct {
	*testing.T
	dir      string
	segments []string
	runs     int
}

func (c *crawl) list() string { return filepath.Join(c.dir, "list") }

// distill runs the stage on lines, and returns what it wrote to -distilled.
func (c *crawl) distill(lines ...string) (stagetest.Result, []string) {
	c.Helper()
	c.runs++
	segment := filepath.Join(c.dir, fmt.Sprint("graph-", c.runs))
	out := filepath.Join(c.dir, fmt.Sprint("distilled-", c.runs, ".zst"))
	r := stagetest.MustRun(c.T, tool(), setup, "", "-graph", c.list(), "-new", segment, "-distilled", out,
		stagetest.Write(c.T, "in.zst", lines...))
	c.segments = append(c.segments[:len(c.segments)-strings.Count(r.Report, "\nreplaces ")], segment)
	if err := os.WriteFile(c.list(), []byte(strings.Join(c.segments, "\n")), 0o666); err != nil {
		c.Fatal(err)
	}
	if _, err := os.Stat(out); err != nil {
		return r, nil
	}
	return r, stagetest.Lines(c.T, out)
}

// TestDistill: what the best hubs link to is lifted once; a hub is visited again when the links have
// doubled; links within a site count for nothing.
func TestDistill(t *testing.T) {
	c := &crawl{T: t, dir: t.TempDir()}
	r, got := c.distill("http://hub.test/", "http://a.co.uk/\tvia=http://hub.test/", "http://b.co.uk/\tvia=http://hub.test/",
		"http://www.hub.test/x\tvia=http://hub.test/", "http://hub.test/y\tvia=http://hub.test/",
		"http://c.test/\tvia=http://dull.test/", "http://c.test/\tvia=x",
		"http://hub.test/\tworth=0.9\tdepth=2\tvia=http://seed.test/", "http://a.co.uk/\tworth=0.8", "http://dull.test/\tworth=0.1")
	r.Wants(t, "in 10", "reason linked 3", "reason within-site 4", "reason judged 3", "gauge pages 5", "gauge links 3",
		"count lifted 1", "count visited-again 0")
	if want := []string{"http://b.co.uk/\tknown=1\tscore=1"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if r, got = c.distill("http://a.co.uk/\tvia=http://hub.test/"); got != nil || strings.Contains(r.Report, "rounds") {
		t.Errorf("without a new link: %q, %s", got, r.Report)
	}
	_, got = c.distill("http://d.test/\tvia=http://hub.test/", "http://e.test/\tvia=http://d.test/",
		"http://f.test/\tvia=http://d.test/")
	if want := []string{"http://hub.test/\tdepth=2\tvisit=1\tscore=1"}; !slices.Equal(got, want) {
		t.Errorf("with twice the links: %q, want %q", got, want)
	}
	const shown = "hub\t1.000000\t0.90\t1\thttp://hub.test/\n\tlinks to\t1.000000\t0.80\thttp://a.co.uk/\n" +
		"authority\t1.000000\t0.80\t1\thttp://a.co.uk/\n\tlinked from\t1.000000\t0.90\thttp://hub.test/\n"
	if r = stagetest.MustRun(t, tool(), setup, "", "-graph", c.list(), "-show"); r.Stdout != shown {
		t.Errorf("-show: %s, want %s", r.Stdout, shown)
	}
	r = stagetest.Run(t, tool(), setup, "", append([]string{"-verify"}, c.segments...)...)
	if r.Code != stage.ExitDone {
		t.Errorf("-verify: exit %d, %s", r.Code, r.Stderr)
	}
}

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{"-hubs", "0"}, {"-hubs", "1001"}, {"-relevant", "1"}, {"-relevant", "-0.1"},
		{"-relevant", "NaN"}, {"-show"}} {
		if r := stagetest.Run(t, tool(), setup, "", args...); r.Code != stage.ExitUsage {
			t.Errorf("%v: exit %d", args, r.Code)
		}
	}
}

// TestMemory holds what -h says of memory, for more links than fit into it, between pages that were
// all judged; the best hubs have a thousand links each.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const batches, links = 40, 10_000
	page := func(n int) string {
		return fmt.Sprintf("http://www.host%d.test/%x", n%99999, uint64(n)*0x9e3779b97f4a7c15)
	}
	stagetest.PeakAnon(t, 128<<20, func(dir string) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for b := range batches {
			var lines []string
			for i := range links {
				from, to := rnd.IntN(800_000), rnd.IntN(800_000)
				if b%4 == 0 {
					from, to = i/100, rnd.IntN(4_000_000)
				}
				lines = append(lines, page(to)+"\tvia="+page(from), page(from)+"\tworth=1")
			}
			os.Rename(stagetest.Write(t, "in.zst", lines...), filepath.Join(dir, fmt.Sprintf("in-%d.zst", b)))
		}
	}, func(dir string) {
		inputs, _ := filepath.Glob(filepath.Join(dir, "in-*"))
		args := []string{"-new", filepath.Join(dir, "new"), "-distilled", filepath.Join(dir, "out.zst")}
		r := stagetest.MustRun(t, tool(), setup, "", append(args, inputs...)...)
		if !strings.Contains(r.Report, "rounds") {
			t.Error(r.Report)
		}
	})
}
