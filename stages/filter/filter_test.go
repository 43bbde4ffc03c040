package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

// crawl plays the manager: it keeps the list of the seen-set.
type crawl struct {
	dir   string
	paths []string
	runs  int
}

func (c *crawl) list() string { return filepath.Join(c.dir, "list") }

// filter runs the stage and commits it; it returns the report and the fresh lines.
func (c *crawl) filter(t *testing.T, inputs ...string) (stagetest.Result, []string) {
	t.Helper()
	c.runs++
	fresh := filepath.Join(c.dir, fmt.Sprint("fresh-", c.runs, ".zst"))
	segment := filepath.Join(c.dir, fmt.Sprint("seen-", c.runs))
	args := []string{"-seen", c.list(), "-new", segment, "-fresh", fresh}
	r := stagetest.MustRun(t, tool(), setup, "", append(args, inputs...)...)
	c.paths = c.paths[:len(c.paths)-strings.Count(r.Report, "replaces ")]
	if _, err := os.Stat(segment); err == nil {
		c.paths = append(c.paths, segment)
	}
	os.WriteFile(c.list(), []byte(strings.Join(append(slices.Clone(c.paths), ""), "\n")), 0o666)
	return r, stagetest.Lines(t, fresh)
}

func TestFilter(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	a := stagetest.Write(t, "a.zst", "http://c/\tdepth=2\tx=y", "http://a/", "http://c/\tdepth=1", "http://b/")
	b := stagetest.Write(t, "b.zst", "http://b/", "http://d/", "http://a/\tvia=http://d/")

	r, fresh := c.filter(t, a, b)
	if want := []string{"http://c/\tdepth=2\tx=y", "http://a/", "http://b/", "http://d/"}; !slices.Equal(fresh, want) {
		t.Errorf("fresh: %q", fresh)
	}
	if !r.Has("in 7") || !r.Has("reason repeated 3") {
		t.Errorf("report:\n%s", r.Report)
	}

	e := stagetest.Write(t, "e.zst", "http://e/", "http://a/", "http://a/")
	r, fresh = c.filter(t, e)
	if !slices.Equal(fresh, []string{"http://e/"}) || !r.Has("reason seen 2") {
		t.Errorf("fresh: %q, report:\n%s", fresh, r.Report)
	}

	r, fresh = c.filter(t, a, b, e)
	if fresh != nil || r.Report != "in 10\nreason seen 10\n" {
		t.Errorf("fresh: %q, report:\n%s", fresh, r.Report)
	}
}

// TestKnown: with -known each record that is not let through goes there, and none that is; the law
// holds, as each run checks.
func TestKnown(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, "list")
	in := stagetest.Write(t, "a.zst", "http://a/\tdepth=1", "http://b/\tdepth=2", "http://a/\tvia=http://b/",
		"http://new/\tarrived=1", "http://b/\tarrived=1")
	for run, want := range []struct{ fresh, known, report []string }{
		{[]string{"http://a/\tdepth=1", "http://b/\tdepth=2"}, []string{"http://a/\tvia=http://b/\tknown=1"},
			[]string{"in 5", "reason arrived 2", "count repeated 1"}},
		{nil, []string{"http://a/\tdepth=1\tknown=1", "http://b/\tdepth=2\tknown=1",
			"http://a/\tvia=http://b/\tknown=1"},
			[]string{"in 5", "reason arrived 2", "count seen 3"}},
	} {
		fresh, known := filepath.Join(dir, fmt.Sprint("f", run, ".zst")),
			filepath.Join(dir, fmt.Sprint("k", run, ".zst"))
		made := filepath.Join(dir, fmt.Sprint("s", run))
		r := stagetest.MustRun(t, tool(), setup, "", "-seen", list, "-new", made, "-fresh", fresh, "-known", known, in)
		if got := stagetest.Lines(t, fresh); !slices.Equal(got, want.fresh) {
			t.Errorf("run %d: fresh %q", run, got)
		}
		if got := stagetest.Lines(t, known); !slices.Equal(got, want.known) {
			t.Errorf("run %d: known %q", run, got)
		}
		for _, line := range want.report {
			if !r.Has(line) {
				t.Errorf("run %d: report lacks %q:\n%s", run, line, r.Report)
			}
		}
		os.WriteFile(list, []byte(made+"\n"), 0o666)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-recheck", "-known", "x"); r.Code != stage.ExitUsage {
		t.Errorf("-recheck -known: exit %d", r.Code)
	}
}

// TestKnownForAnOrder: known URLs are written if the order counts links, and are seen otherwise.
func TestKnownForAnOrder(t *testing.T) {
	in := stagetest.Write(t, "a.zst", "http://a/", "http://a/")
	for by, want := range map[string]struct {
		report string
		known  int
	}{"backlink": {"count repeated 1", 1}, "opic,score": {"count repeated 1", 1}, "breadth": {"reason repeated 1", 0},
		"score": {"reason repeated 1", 0}} {
		known := filepath.Join(t.TempDir(), "known.zst")
		r := stagetest.MustRun(t, tool(), setup, "", "-fresh", filepath.Join(t.TempDir(), "f"), "-known", known,
			"-order", by, in)
		if got := stagetest.Lines(t, known); !r.Has(want.report) || len(got) != want.known {
			t.Errorf("-order %s: %q is known; report:\n%s", by, got, r.Report)
		}
	}
	if r := stagetest.Run(t, tool(), setup, "", "-order", "backlinks"); r.Code != stage.ExitUsage {
		t.Errorf("-order backlinks: exit %d", r.Code)
	}
}

// TestArrived: a URL whose page has come from another crawler is seen; one that is queued by then
// is taken out by -recheck, and no other is, as often as they come by.
func TestArrived(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	recheck := func(want ...string) stagetest.Result {
		t.Helper()
		in := stagetest.Write(t, "frontier.zst", "http://queued/\ttries=1", "http://other/", "http://other/")
		fresh := filepath.Join(t.TempDir(), "due.zst")
		r := stagetest.MustRun(t, tool(), setup, "", "-recheck", "-seen", c.list(), "-fresh", fresh, in)
		if got := stagetest.Lines(t, fresh); !slices.Equal(got, want) {
			t.Errorf("recheck let through %q, want %q", got, want)
		}
		return r
	}
	c.filter(t, stagetest.Write(t, "a.zst", "http://queued/", "http://other/"))
	recheck("http://queued/\ttries=1", "http://other/", "http://other/")

	r, fresh := c.filter(t, stagetest.Write(t, "b.zst", "http://new/\tarrived=1", "http://both/",
		"http://both/\tarrived=1",
		"http://queued/\tarrived=1", "http://queued/\tarrived=1"))
	if !slices.Equal(fresh, []string{"http://both/"}) || !r.Has("reason arrived 4") {
		t.Errorf("fresh: %q, report:\n%s", fresh, r.Report)
	}
	if r, fresh := c.filter(t, stagetest.Write(t, "c.zst", "http://new/", "http://queued/")); fresh != nil ||
		!r.Has("reason seen 2") {
		t.Errorf("fresh: %q, report:\n%s", fresh, r.Report)
	}
	for range 2 {
		if r := recheck("http://other/", "http://other/"); !r.Has("reason arrived 1") {
			t.Errorf("report:\n%s", r.Report)
		}
	}
	if r := stagetest.Run(t, tool(), setup, "", "-recheck", "-new", "x"); r.Code != stage.ExitUsage {
		t.Errorf("-recheck -new: exit %d", r.Code)
	}
}

// TestAbsent: frontier is told of hosts of which no URL passes -recheck, since their pages have arrived
// or another node fetches them, and of no others.
func TestAbsent(t *testing.T) {
	c := &crawl{dir: t.TempDir()}
	c.filter(t, stagetest.Write(t, "a.zst", "http://gone/1", "http://half/1"))
	c.filter(t, stagetest.Write(t, "b.zst", "http://gone/1\tarrived=1", "http://half/1\tarrived=1"))
	in := stagetest.Write(t, "frontier.zst", "http://half/1", "http://half/2", "http://gone:8080/1", "http://gone/1")
	for _, args := range [][]string{{}, {"-nodes", nodesFile(t, 0, 0), "-node", "n0", "-by", "host"}} {
		dir := t.TempDir()
		due, absent := filepath.Join(dir, "due.zst"), filepath.Join(dir, "visits.zst")
		stagetest.MustRun(t, tool(), setup, "", append(args, "-recheck", "-seen", c.list(), "-fresh", due, "-visits",
			absent, "-outgoing", filepath.Join(dir, "m.zst"), in)...)
		passed := strings.Join(stagetest.Lines(t, due), "\n") + "\n"
		var want []string
		if !strings.Contains(passed, "/half/") {
			want = append(want, "http://half/\tasked=0\tunready=2")
		}
		if !strings.Contains(passed, "/gone:8080/") {
			want = append(want, "http://gone/\tasked=0\tunready=2")
		}
		if got := stagetest.Lines(t, absent); !slices.Equal(got, want) || len(args) > 0 && len(want) == 0 {
			t.Errorf("%q passed; told of %q, want %q", passed, got, want)
		}
	}
	if r := stagetest.Run(t, tool(), setup, "", "-visits", "x"); r.Code != stage.ExitUsage {
		t.Errorf("-visits without -recheck: exit %d", r.Code)
	}
}

// TestGolden holds the report and the key of a URL: another key would make every URL of a
// crawl that runs new again.
func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	r := stagetest.MustRun(t, tool(), setup, "http://a.example/\nx y\n", "-new", "seen", "-fresh", "fresh.txt")
	const want = `in 2
out fresh.txt 1 18 c7d47e94d867bfc6
made seen 1 97 3b755ebbbd7a99d0
reason bad-line 1
because bad-line 1 bad-line:x%2520y -
`
	if r.Report != want {
		t.Errorf("report:\n%s", r.Report)
	}
	s, err := segment.Open("seen")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, ok, err := s.Get(0x5281f8bb529de3b0); !ok || err != nil {
		t.Errorf("the key of http://a.example/ is another: %v", err)
	}
}

// TestManyBatches holds a crawl of many batches against a map.
func TestManyBatches(t *testing.T) {
	c, seen := &crawl{dir: t.TempDir()}, map[string]bool{}
	for n := range 20 {
		var lines, want []string
		for i := range 500 {
			line := fmt.Sprint("http://host/", (n*300+i*7)%5000)
			lines = append(lines, line)
			if !seen[line] {
				want = append(want, line)
			}
			seen[line] = true
		}
		if _, fresh := c.filter(t, stagetest.Write(t, "in.zst", lines...)); !slices.Equal(fresh, want) {
			t.Fatalf("run %d: %d fresh, want %d", n, len(fresh), len(want))
		}
	}
	if len(c.paths) > 3 {
		t.Errorf("%d segments are left of 20", len(c.paths))
	}
}

// TestChunks passes the bound of what is judged at once: repeats are found across it.
func TestChunks(t *testing.T) {
	var in strings.Builder
	n := portion().Records + 1000
	for i := range n {
		fmt.Fprintf(&in, "http://h/%d\n", i)
	}
	in.WriteString("http://h/5\nhttp://h/" + fmt.Sprint(n-1) + "\n")
	r := stagetest.MustRun(t, tool(), setup, in.String())
	if got := strings.Count(r.Stdout, "\n"); got != n || !r.Has("reason repeated 2") {
		t.Errorf("%d lines, report:\n%s", got, r.Report)
	}
}

func TestHostileAndEmpty(t *testing.T) {
	r := stagetest.MustRun(t, tool(), setup, "http://a/\n\x1b[2J\nno url\thttp\nhttp://a/\n")
	if r.Stdout != "http://a/\n" || !r.Has("in 4") || !r.Has("reason bad-line 2") || !r.Has("reason repeated 1") {
		t.Errorf("stdout %q, report:\n%s", r.Stdout, r.Report)
	}
	dir := t.TempDir()
	stagetest.MustRun(t, tool(), setup, "", "-fresh", filepath.Join(dir, "f.zst"), "-new", filepath.Join(dir, "s"))
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("no record came in, but %v came out", left)
	}
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.zst")
	os.WriteFile(there, nil, 0o666)
	damaged := filepath.Join(dir, "damaged")
	os.WriteFile(damaged, []byte(strings.Repeat("x", 100)), 0o666)
	list := filepath.Join(dir, "list")
	os.WriteFile(list, []byte(damaged+"\n"), 0o666)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"output exists":   {[]string{"-fresh", there}, "exists already"},
		"segment exists":  {[]string{"-fresh", filepath.Join(dir, "f1"), "-new", there}, "exists already"},
		"no directory":    {[]string{"-fresh", filepath.Join(dir, "no", "f")}, "no such file"},
		"damaged segment": {[]string{"-seen", list}, "damaged segment " + damaged},
		"missing input":   {[]string{filepath.Join(dir, "missing")}, "no such file"},
	} {
		r := stagetest.Run(t, tool(), setup, "http://a/\n", c.args...)
		if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%s: exit %d, stderr %q, report %q", name, r.Code, r.Stderr, r.Report)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("a failed run left %v", left)
	}
}

func TestVerify(t *testing.T) {
	const keys, values = "../internal/state/segment/testdata/v2/keys.seg",
		"../internal/state/segment/testdata/v2/values.seg"
	r := stagetest.Run(t, tool(), setup, "", "-verify", keys, keys)
	if r.Code != stage.ExitDone || r.Stdout+r.Stderr+r.Report != "" {
		t.Errorf("whole segments: %+v", r)
	}
	r = stagetest.Run(t, tool(), setup, "", "-verify", keys, values, "nowhere")
	if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, "2 of 3 files are not whole") ||
		!strings.Contains(r.Stderr, values+" has values") || !strings.Contains(r.Stderr, "open nowhere") {
		t.Errorf("one of another state and one that is not there: %+v", r)
	}
}
