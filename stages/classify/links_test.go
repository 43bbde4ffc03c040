package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/sharing/outgoing"
	"multitext/stages/internal/sharing/partition"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/stagetest"
)

const threeNodes = `nodes = 1
url = "file:$FROM/$TO"
[[node]]
name = "arts"
hosts = ["a.example"]
[[node]]
name = "business"
hosts = ["b.example"]
[[node]]
name = "world"
hosts = ["c.example", "jp"]
`

func nodesFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "nodes.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// runLinks runs the verb with args.
func runLinks(t testing.TB, stdin string, args ...string) stagetest.Result {
	t.Helper()
	v := linksVerb()
	return stagetest.Run(t, v.Tool, v.Setup, stdin, args...)
}

// crawler plays the manager of the node arts for classify links: it keeps the list of the state.
type crawler struct {
	dir, nodes, by string
	flags          []string // more of them
	segments       []string
	runs           int
}

// run runs the stage on a batch and returns its report, our links, and those of others by node.
// Unless it is told to commit, it is as if it had been killed at its end.
func (c *crawler) run(t testing.TB, commit bool, lines ...string) (r stagetest.Result, mine []string,
	theirs map[string][]string) {
	t.Helper()
	c.runs++
	work, list := filepath.Join(c.dir, fmt.Sprint(c.runs)), filepath.Join(c.dir, "list")
	if err := os.Mkdir(work, 0o777); err != nil {
		t.Fatal(err)
	}
	os.WriteFile(list, []byte(strings.Join(c.segments, "\n")), 0o666)
	made, ours := filepath.Join(work, "sent"), filepath.Join(work, "mine.zst")
	r = runLinks(t, strings.Join(lines, "\n"), append([]string{"-nodes", c.nodes, "-node", "arts", "-by", c.by,
		"-sent", list, "-new", made, "-mine", ours,
		"-outgoing", filepath.Join(work, fmt.Sprintf("m-%012d-00001.zst", c.runs))}, c.flags...)...)
	if r.Code != stage.ExitDone {
		t.Fatalf("exit %d: %s", r.Code, r.Stderr)
	}
	if commit {
		c.segments = c.segments[:len(c.segments)-strings.Count(r.Report, "replaces ")]
		if _, err := os.Stat(made); err == nil {
			c.segments = append(c.segments, made)
		}
	}
	return r, stagetest.Lines(t, ours), sent(t, work)
}

// sent returns the links in the folders of nodes below dir.
func sent(t testing.TB, dir string) map[string][]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string][]string{}
	for _, path := range paths {
		if n, ok := outgoing.ParseName(filepath.Base(path)); !ok || n.Ext != outgoing.URLs {
			t.Errorf("it left %s", path)
		}
		node := filepath.Base(filepath.Dir(path))
		theirs[node] = append(theirs[node], stagetest.Lines(t, path)...)
	}
	return theirs
}

// TestLinks holds the walk of a link: ours pass, the others' lie in their folders, each once.
func TestLinks(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy"}
	r, mine, theirs := c.run(t, true,
		"http://b.example/1\tdepth=2\tvia=http://a.example/\tx=y", "http://a.example/1\tdepth=1\towner=world",
		"http://x.jp/", "http://b.example/1\tdepth=9", "http://a.example/1", "bad line",
		"http://b.example/2\towner=arts")
	if want := []string{"http://a.example/1\tdepth=1", "http://a.example/1"}; !slices.Equal(mine, want) {
		t.Errorf("mine: %q", mine)
	}
	want := map[string][]string{
		"business": {"http://b.example/1\tdepth=2\tvia=http://a.example/\tx=y", "http://b.example/2"},
		"world":    {"http://x.jp/"},
	}
	if !maps.EqualFunc(theirs, want, slices.Equal) {
		t.Errorf("theirs: %q", theirs)
	}
	r.Wants(t, "in 7", "reason sent-before 1", "reason bad-line 1", "count to-business 2", "count to-world 1")

	r, mine, theirs = c.run(t, true, "http://b.example/2", "http://c.example/", "http://a.example/1")
	if len(mine) != 1 || len(theirs) != 1 || !slices.Equal(theirs["world"], []string{"http://c.example/"}) ||
		!r.Has("reason sent-before 1") {
		t.Errorf("mine: %q, theirs: %q, report:\n%s", mine, theirs, r.Report)
	}
	if r, _, theirs = c.run(t, true, "http://b.example/1"); len(theirs) != 0 ||
		r.Report != "in 1\nreason sent-before 1\n" {
		t.Errorf("theirs: %q, report:\n%s", theirs, r.Report)
	}
}

// TestLinksJoinedAndLeaving: a link goes to the node that remembers its URL, which may leave, and not
// to one that has joined; -explain tells who fetches it.
func TestLinksJoinedAndLeaving(t *testing.T) {
	var urls []string
	for i := range 60 {
		urls = append(urls, fmt.Sprintf("http://h%d.example/", i))
	}
	for key, want := range map[string]struct{ sent, explained bool }{"joined": {false, true}, "leaves": {true, false}} {
		file := nodesFile(t, threeNodes+key+" = true\n") // of world
		c := &crawler{dir: t.TempDir(), nodes: file, by: "url"}
		_, mine, theirs := c.run(t, true, urls...)
		if (len(theirs["world"]) > 0) != want.sent || len(mine) == 0 || len(theirs["business"]) == 0 {
			t.Errorf("world %s: %d links are mine, %d were sent to business, %d to world", key, len(mine),
				len(theirs["business"]), len(theirs["world"]))
		}
		r := runLinks(t, "", append([]string{"-nodes", file, "-node", "arts", "-by", "url", "-explain"}, urls...)...)
		if strings.Contains(r.Stdout, "world\t") != want.explained {
			t.Errorf("world %s: who fetches what:\n%s", key, r.Stdout)
		}
	}
}

// TestLinksGolden holds the key of the state: another would send all links again.
func TestLinksGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("nodes.toml", []byte(threeNodes), 0o666)
	r := runLinks(t, "http://b.example/\n", "-nodes", "nodes.toml", "-node", "arts", "-by", "hierarchy", "-new", "sent",
		"-outgoing", "m.zst")
	if r.Code != stage.ExitDone || r.Stdout != "" {
		t.Fatalf("%+v", r)
	}
	s, err := segment.Open("sent")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, ok, err := s.Get(0xfac842a661bc5c7b); !ok || err != nil || s.Len() != 1 {
		t.Errorf("the key of http://b.example/ for business is another: %v", err)
	}
}

// TestNoLinkTwice runs a crawl of random batches, of which some runs are rolled back and run again:
// what counts in the end was sent once each, nothing is missing, and every link is ours or one
// other's.
func TestNoLinkTwice(t *testing.T) {
	for _, by := range []string{"url", "host"} {
		rnd := rand.New(rand.NewPCG(1, 2))
		c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: by}
		all, ours, others := map[string]bool{}, map[string]bool{}, map[string]string{}
		for range 25 {
			var lines []string
			for range 100 {
				url := fmt.Sprintf("http://h%d.example/%d", rnd.IntN(20), rnd.IntN(40))
				lines, all[url] = append(lines, url), true
			}
			if rnd.IntN(3) == 0 {
				c.run(t, false, lines...)
			}
			_, mine, theirs := c.run(t, true, lines...)
			for _, url := range mine {
				ours[url] = true
			}
			for node, urls := range theirs {
				for _, url := range urls {
					if to, twice := others[url]; twice {
						t.Fatalf("%s: %s was sent to %s and to %s", by, url, to, node)
					}
					others[url] = node
				}
			}
		}
		if len(ours)+len(others) != len(all) || len(ours) == 0 || len(others) == 0 {
			t.Errorf("%s: of %d links %d are ours and %d others'", by, len(all), len(ours), len(others))
		}
		if len(c.segments) > 6 {
			t.Errorf("%d segments are left of 25", len(c.segments))
		}
	}
}

// TestLinksOfAnotherOwner holds that a link is sent to its new owner when nodes.toml has changed,
// and to nobody again because nodes got other numbers.
func TestLinksOfAnotherOwner(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy"}
	c.run(t, true, "http://b.example/", "http://c.example/")
	c.nodes = nodesFile(t, "nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"world\"\n"+
		"hosts = [\"b.example\", \"c.example\"]\n[[node]]\nname = \"arts\"\n")
	if _, _, theirs := c.run(t, true, "http://b.example/", "http://c.example/"); len(theirs) != 1 ||
		!slices.Equal(theirs["world"], []string{"http://b.example/"}) {
		t.Errorf("theirs: %q", theirs)
	}
}

// TestLinksWithoutState holds what the loss of the state costs: links are sent again, which their
// owner's filter has seen.
func TestLinksWithoutState(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy"}
	c.run(t, true, "http://b.example/")
	c.segments = nil
	if _, _, theirs := c.run(t, true, "http://b.example/"); !slices.Equal(theirs["business"],
		[]string{"http://b.example/"}) {
		t.Errorf("theirs: %q", theirs)
	}
}

// TestLinksUnknownOwner holds that a link with the name of no node is ours, and that it is told.
func TestLinksUnknownOwner(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "owner"}
	r, mine, theirs := c.run(t, true, "http://x/1\towner=gone\tdepth=1", "http://x/2\towner=..%2Farts", "http://x/3",
		"http://x/4\towner=world")
	if want := []string{"http://x/1\tdepth=1", "http://x/2", "http://x/3"}; !slices.Equal(mine, want) ||
		len(theirs) != 1 || !r.Has("count owner-unknown 2") {
		t.Errorf("mine: %q, theirs: %q, report:\n%s", mine, theirs, r.Report)
	}
}

// TestLinksToManyNodes holds that with more nodes than parts can be open each has still one file of
// a run, or few.
func TestLinksToManyNodes(t *testing.T) {
	text, lines := "nodes = 1\nurl = \"file:$FROM/$TO\"\n[[node]]\nname = \"arts\"\n", []string{}
	for i := range 200 {
		text += fmt.Sprintf("[[node]]\nname = \"n%d\"\n", i)
	}
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("http://a.example/%d", i))
	}
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, text), by: "url"}
	_, mine, theirs := c.run(t, true, lines...)
	files, _ := filepath.Glob(filepath.Join(c.dir, "1", "*", "*"))
	n := len(mine)
	for _, urls := range theirs {
		n += len(urls)
	}
	if len(theirs) < 190 || len(files) != len(theirs) || n != len(lines) {
		t.Errorf("%d links in %d files for %d nodes", n, len(files), len(theirs))
	}
}

// TestLinksPortions passes the bound of what is looked up at once.
func TestLinksPortions(t *testing.T) {
	var in strings.Builder
	const n = 150_000
	for i := range n {
		fmt.Fprintf(&in, "http://b.example/%d\n", i)
	}
	in.WriteString("http://b.example/5\nhttp://b.example/" + fmt.Sprint(n-1) + "\n")
	dir := t.TempDir()
	r := runLinks(t, in.String(), "-nodes", nodesFile(t, threeNodes), "-node", "arts", "-by", "hierarchy", "-outgoing",
		filepath.Join(dir, "m"))
	theirs := sent(t, dir)["business"]
	if len(theirs) != n || !r.Has("reason sent-before 2") {
		t.Fatalf("%d links, report:\n%s", len(theirs), r.Report)
	}
	for i, url := range theirs {
		if url != fmt.Sprint("http://b.example/", i) {
			t.Fatalf("link %d is %s", i, url)
		}
	}
}

// TestLinksByNone holds that one script with links_by=none passes everything on, whatever else it
// is told.
func TestLinksByNone(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "none"}
	r, mine, theirs := c.run(t, true, "http://b.example/\tdepth=1", "http://b.example/\tdepth=1")
	if len(mine) != 2 || len(theirs) != 0 || len(c.segments) != 0 || !strings.HasPrefix(r.Report, "in 2\nout ") ||
		strings.Count(r.Report, "\n") != 2 {
		t.Errorf("mine %q, theirs %q, report:\n%s", mine, theirs, r.Report)
	}
}

func TestLinksFailures(t *testing.T) {
	dir := t.TempDir()
	file := nodesFile(t, threeNodes)
	there := filepath.Join(dir, "there")
	os.WriteFile(there, []byte("x"), 0o666)
	os.WriteFile(filepath.Join(dir, "business"), nil, 0o666) // where a folder should be
	usual := []string{"-nodes", file, "-node", "arts", "-by", "hierarchy"}
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no nodes": {nil, stage.ExitUsage, "-nodes FILE and -node NAME must be given"},
		"an unknown node": {[]string{"-nodes", file, "-node", "art", "-by", "url"}, stage.ExitUsage,
			`did you mean "arts"?`},
		"an unknown way": {[]string{"-nodes", file, "-node", "arts", "-by", "hosts"}, stage.ExitUsage,
			`did you mean "host"?`},
		"an unknown mode": {append(usual, "-others", "dorp"), stage.ExitUsage, `did you mean "drop"?`},
		"no aside":        {append(usual, "-others", "aside"), stage.ExitUsage, "-others aside needs -aside"},
		"no later":        {append(usual, "-others", "later"), stage.ExitUsage, "-others later needs -later"},
		"no outgoing":     {usual, stage.ExitUsage, "-outgoing is required"},
		"explain nothing": {append(usual, "-explain"), stage.ExitUsage, "-explain needs URLs"},
		"explain of owner": {[]string{"-nodes", file, "-node", "arts", "-by", "owner", "-explain"}, stage.ExitUsage,
			"-explain reads only URLs"},
		"no nodes file": {[]string{"-nodes", "nowhere", "-node", "arts", "-by", "url"}, stage.ExitFailed,
			"open nowhere"},
		"mine exists": {append(usual, "-outgoing", filepath.Join(dir, "m"), "-mine", there), stage.ExitFailed,
			"exists already"},
		"segment exists": {append(usual, "-outgoing", filepath.Join(dir, "x", "m"), "-new", there), stage.ExitFailed,
			"no such file"},
		"a file in the way": {append(usual, "-outgoing", filepath.Join(dir, "m")), stage.ExitFailed, "not a directory"},
	} {
		r := runLinks(t, "http://c.example/\nhttp://b.example/\nhttp://a.example/\n", c.args...)
		if r.Code != c.code || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%s: exit %d, stderr %q, report %q", name, r.Code, r.Stderr, r.Report)
		}
	}
	v, said := linksVerb(), new(strings.Builder)
	checked := append([]string{stage.CheckArguments}, append(usual, "-explain", "http://a.example/")...)
	if code := stage.Run(t.Context(), v.Tool, v.Setup, checked, nil, said, said); code != stage.ExitDone ||
		said.Len() > 0 {
		t.Errorf("arguments of -explain, checked: exit %d, and it said %q", code, said)
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("failed runs left %v", left)
	}
}

func TestLinksExplainAndVerify(t *testing.T) {
	usual := []string{"-nodes", nodesFile(t, threeNodes), "-node", "arts", "-by", "hierarchy", "-explain"}
	r := runLinks(t, "", append(usual, "HTTP://B.example:80/../x", "http://www.x.jp/")...)
	if r.Code != stage.ExitDone || r.Stdout != "business\thttp://b.example/x\nworld\thttp://www.x.jp/\n" ||
		r.Report != "" {
		t.Errorf("%+v", r)
	}
	if r := runLinks(t, "", append(usual, "x\x1b[2J")...); r.Code != stage.ExitFailed ||
		strings.Contains(r.Stderr, "\x1b") {
		t.Errorf("%+v", r)
	}
	const keys, values = "../internal/state/segment/testdata/v2/keys.seg",
		"../internal/state/segment/testdata/v2/values.seg"
	if r := runLinks(t, "", "-verify", keys); r.Code != stage.ExitDone || r.Stdout+r.Stderr+r.Report != "" {
		t.Errorf("%+v", r)
	}
	if r := runLinks(t, "", "-verify", keys, values); r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, "1 of 2 files are not whole") {
		t.Errorf("%+v", r)
	}
}

// FuzzLinks holds the law of counts, and that what leaves can be read, for every input; a run whose
// law does not hold fails.
func FuzzLinks(f *testing.F) {
	f.Add("http://b.example/\nhttp://a.example/\towner=x\towner=y\n\x00\n#\n\thttp\n")
	f.Add("http://[::1]/\n://\nx\nhttp:\nhttp://\nhttp://b.example\n" + strings.Repeat("a/", 5000))
	file := nodesFile(f, threeNodes)
	ways := []string{"url", "host", "country", "hierarchy", "owner"}
	f.Fuzz(func(t *testing.T, in string) {
		dir, by := t.TempDir(), ways[len(in)%len(ways)]
		mine, mode := filepath.Join(dir, "mine.zst"), partition.Modes()[len(in)/8%len(partition.Modes())]
		r := runLinks(t, in, "-nodes", file, "-node", "arts", "-by", by, "-mine", mine, "-outgoing",
			filepath.Join(dir, "m"), "-others", mode, "-aside", filepath.Join(dir, "aside.zst"),
			"-later", filepath.Join(dir, "later.zst"), fmt.Sprint("-sum=", len(in)%2 == 0))
		if r.Code != stage.ExitDone {
			t.Fatalf("%s: exit %d: %s", by, r.Code, r.Stderr)
		}
		for _, line := range slices.Concat(append(slices.Collect(maps.Values(sent(t, dir))),
			stagetest.Lines(t, mine))...) {
			if rec, err := urlbatch.Parse([]byte(line)); err != nil {
				t.Errorf("%s: it wrote %q: %v", by, line, err)
			} else if owner, ok := rec.Get(urlbatch.Owner); ok {
				t.Errorf("%s: it wrote owner=%s", by, owner)
			}
		}
	})
}

// BenchmarkLinks is the whole stage: links a second of which two thirds are others', none sent
// before.
func BenchmarkLinks(b *testing.B) {
	const n = 100_000
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("http://www.host%d.example.org/folder/page-%d.html\tdepth=3\t"+
			"via=http://www.host%[1]d.example.org/", i%977, i))
	}
	in, file := stagetest.Write(b, "in.zst", lines...), nodesFile(b, threeNodes)
	for _, by := range []string{"url", "host", "hierarchy", "none"} {
		b.Run(by, func(b *testing.B) {
			for b.Loop() {
				dir := b.TempDir()
				r := runLinks(b, "", "-nodes", file, "-node", "arts", "-by", by, "-new", filepath.Join(dir, "sent"),
					"-mine", filepath.Join(dir, "mine.zst"), "-outgoing", filepath.Join(dir, "m"), in)
				if r.Code != stage.ExitDone {
					b.Fatal(r.Stderr)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "links/s")
		})
	}
}
