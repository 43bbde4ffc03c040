package waiting

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/testkit/committed"
	"multitext/stages/internal/testkit/stagetest"
	"multitext/stages/internal/traffic/visits"
)

var (
	benchURLs  = flag.Int("waiting", 100_000, "BenchmarkRuns: URLs that wait before the first run is measured")
	benchHosts = flag.Int("hosts", 10_000, "BenchmarkRuns: hosts that the links go to")
	benchKept  = flag.String("kept", "", "BenchmarkRuns: keep the state in `FOLDER`, and begin with what is there")
)

// The runs of BenchmarkRuns: each takes in what the pages link to that the one before handed out.
// One page in five has 25 links that are new, the others have none: of 41 real sites one in eight
// has all.
const (
	pagesOfRun  = 4000
	linksOfPage = 25
	onePageIn   = 5
)

// BenchmarkRuns is runs of a frontier in a crawl of a large web: each takes in 20,000 URLs and what
// fetch learned of its hosts, and hands out 4,000. Each is a process of its own, in which nothing
// else runs. For example,
//
//	go test ./stages/internal/frontier/waiting -run ^$ -bench Runs \
//		-waiting 10000000 -hosts 1000000 -benchtime 200x
//
// URLs/s are of a core, by CPU time, URLs in and out together; the state is opened, merged, written and
// closed in that time, and the batches are parsed, but not packed. MB-anon is the most anonymous memory of
// a run, MB-peak the most with the mapped files.
//
// On two cores that many others used, with a million hosts and 14 million URLs that wait, the median run
// took 105 to 119 ms: in the mean 25 ms to read what comes in, 60 to 70 to put it into queues and to
// compose, 27 to 38 to save. That is 187,000 to 216,000 URLs/s. With 101 million it took 159 to 177 ms,
// 131,000 to 150,000 URLs/s, where the files were in the page cache, and 217 to 242 ms, 78,000, where they
// were not: the 4,000 URLs of a batch are of as many hosts, and each of them lies at a place of its own
// in each large segment, of which the first look maps, or reads, 64 to 128 KiB. Mapped at random
// (MADV_RANDOM) they took twice as long from the disk, and no less from the page cache.
//
// Anonymous memory was 24 MB. The peak was 180 to 270 MB with 14 million URLs and 570 to 780 with 101
// million: the rows of most hosts, for each run has to do with 8,000 hosts by chance, and the pages around
// what was looked at, all of which the kernel may take back. A URL, 86 bytes without its host, took 51
// bytes with 14 for each host, and 35 with 100, with all that is known of its host. A run wrote 1.3 kB for
// each page that was handed out, for which five URLs came in.
func BenchmarkRuns(b *testing.B) {
	c := openBench(b)
	first := c.Entered - c.Handed
	c.costs = nil
	for b.Loop() {
		b.StopTimer()
		c.ordinary()
		b.StartTimer()
	}
	sum, entered, handed := cost{}, 0, 0
	for _, x := range c.costs {
		sum.Add, sum.Compose, sum.Save = sum.Add+x.Add, sum.Compose+x.Compose, sum.Save+x.Save
		sum.written += x.written
		sum.Segments += x.Segments
		entered, handed = entered+x.In, handed+x.Out
		sum.anon, sum.Peak = max(sum.anon, x.anon), max(sum.Peak, x.Peak)
	}
	n := float64(len(c.costs))
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 / n }
	all := sum.Add + sum.Compose + sum.Save
	slices.SortFunc(c.costs, func(x, y cost) int { return cmp.Compare(x.all(), y.all()) })
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(entered+handed)/all.Seconds(), "URLs/s")
	b.ReportMetric(ms(sum.Add), "ms-add")
	b.ReportMetric(ms(sum.Compose), "ms-compose")
	b.ReportMetric(ms(sum.Save), "ms-save")
	b.ReportMetric(float64(c.costs[len(c.costs)/2].all().Milliseconds()), "ms-median")
	b.ReportMetric(float64(c.costs[len(c.costs)-1].all().Milliseconds()), "ms-worst")
	b.ReportMetric(float64(sum.anon)/1000, "MB-anon")
	b.ReportMetric(float64(sum.Peak)/1000, "MB-peak")
	b.ReportMetric(float64(c.Bytes(b))/float64(c.Entered-c.Handed), "B/URL")
	b.ReportMetric(float64(sum.written)/float64(max(1, handed)), "written-B/page")
	b.ReportMetric(float64(sum.Segments)/n, "segments")
	b.Logf("%d URLs before, %d after; %d in and %d out in %.0f runs", first, c.Entered-c.Handed, entered, handed, n)
}

// A cost is that of a run.
type cost struct {
	Add, Compose, Save time.Duration // of a processor
	In, Out, Segments  int
	Peak               int64 // kB of memory at most, mapped files too
	written, anon      int64 // bytes of the new segment; kB
}

func (c *cost) all() time.Duration { return c.Add + c.Compose + c.Save }

// A benched is a state, and what plays its manager and the other stages.
type benched struct {
	b     *testing.B
	web   *benchWeb
	costs []cost

	committed.Segments
	Entered, Handed int
	Now             int64
	Pages           []string // that were handed out last
}

func openBench(b *testing.B) *benched {
	dir := *benchKept
	if dir == "" {
		dir = b.TempDir()
	}
	c := &benched{b: b, web: newBenchWeb(*benchHosts), Now: 1_800_000_000_000,
		Segments: committed.Segments{Dir: dir}}
	if text, err := os.ReadFile(filepath.Join(dir, "bench.json")); err == nil {
		if err := json.Unmarshal(text, c); err != nil {
			b.Fatal(err)
		}
		return c
	}
	for c.Entered < *benchURLs {
		c.fill(min(*benchURLs-c.Entered, max(20_000, min(1_000_000, *benchURLs/16))))
	}
	for range 100 { // until there are segments of all sizes, and chunks of a few URLs
		c.ordinary()
	}
	return c
}

// fill is a run that takes in n URLs at once.
func (c *benched) fill(n int) {
	w := c.input()
	for range n / linksOfPage {
		page := c.web.url(c.web.host())
		c.web.links(w, page, int64(3+c.web.rnd.IntN(1+c.web.rnd.IntN(6))), linksOfPage)
	}
	c.run(w, n/linksOfPage*linksOfPage, nil)
}

// ordinary is a run that takes in what the pages link to that the last one handed out.
func (c *benched) ordinary() {
	w, hosts := c.input(), map[string]bool{}
	in := 0
	for _, page := range c.Pages {
		rec, err := urlbatch.Parse([]byte(page))
		if err != nil {
			c.b.Fatal(err)
		}
		hosts[strings.Split(rec.URL(), "/")[2]] = true
		if c.web.rnd.IntN(onePageIn) == 0 {
			c.web.links(w, rec.URL(), rec.Int(urlbatch.Depth)+1, linksOfPage)
			in += linksOfPage
		}
	}
	c.run(w, in, hosts)
}

func (c *benched) path(name string) string { return filepath.Join(c.Dir, name) }

func (c *benched) input() *urlbatch.Writer {
	os.Remove(c.path("in.zst"))
	return urlbatch.NewWriter(output.NewRun(io.Discard), c.path("in.zst"), nil)
}

// run has a process do a run, and commits it.
func (c *benched) run(w *urlbatch.Writer, in int, hosts map[string]bool) {
	if err := w.Close(); err != nil {
		c.b.Fatal(err)
	}
	var visited strings.Builder
	for host := range hosts {
		visited.WriteString(host + "\n")
	}
	c.Now += 2500
	os.WriteFile(c.path("visits"), []byte(visited.String()), 0o666)
	c.List(c.b)
	cmd := exec.Command(os.Args[0], "-test.run=^TestBenchedRun$")
	cmd.Env = append(os.Environ(), benchFolder+"="+c.Dir, "SEGMENT="+c.New(), "NOW="+strconv.FormatInt(c.Now, 10),
		"GOGC=200")
	x := cost{}
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Start(); err != nil {
		c.b.Fatal(err)
	}
	anon := stagetest.MostAnon(cmd.Process.Pid)
	err := cmd.Wait()
	x.anon = anon()
	line, _, _ := strings.Cut(out.String(), "\n")
	if err == nil {
		err = json.Unmarshal([]byte(line), &x)
	}
	if err != nil {
		c.b.Fatalf("%v: %s", err, out.String())
	}
	x.In, x.written = in, c.CommitFile(c.b, c.path("report"))
	os.Remove(c.path("report"))
	c.Pages = slices.Collect(strings.Lines(read(c.b, c.path("out"))))
	for i, page := range c.Pages {
		c.Pages[i] = strings.TrimSuffix(page, "\n")
	}
	x.Out, x.Segments = len(c.Pages), len(c.Paths)
	c.Entered, c.Handed = c.Entered+in, c.Handed+x.Out
	c.costs = append(c.costs, x)
	text, _ := json.Marshal(c)
	os.WriteFile(c.path("bench.json"), text, 0o666)
}

func read(t testing.TB, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const benchFolder = "FOLDER_OF_BENCH"

// TestBenchedRun is a run of BenchmarkRuns, in a process of its own.
func TestBenchedRun(t *testing.T) {
	dir := os.Getenv(benchFolder)
	if dir == "" {
		t.Skip("is a part of BenchmarkRuns")
	}
	now, _ := strconv.ParseInt(os.Getenv("NOW"), 10, 64)
	rep, x := report.New(), cost{}
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	at := stagetest.Processor()
	s, err := Open(filepath.Join(dir, "list"), nil,
		Rules{Now: time.UnixMilli(now), Pause: time.Second, Silence: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	takeBenched(t, s, dir)
	x.Add, at = stagetest.Processor()-at, stagetest.Processor()
	picks, err := s.Compose(Plan{Longest: time.Minute, Most: pagesOfRun, PerAddress: 100 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(out)
	for _, p := range picks {
		w.Write(append(p.Line, '\n'))
	}
	w.Flush()
	if _, _, err := s.Wake(); err != nil {
		t.Fatal(err)
	}
	x.Compose, at = stagetest.Processor()-at, stagetest.Processor()
	if err := s.Save(output.NewRun(io.Discard), os.Getenv("SEGMENT"), rep); err != nil {
		t.Fatal(err)
	}
	s.Close() // unmapping what was looked at takes its time
	x.Save = stagetest.Processor() - at
	if err := rep.WriteFile(filepath.Join(dir, "report")); err != nil {
		t.Fatal(err)
	}
	x.Peak = peakOfRun(t)
	text, _ := json.Marshal(x)
	fmt.Printf("%s\n", text)
}

// peakOfRun is the most memory that this process had, in kB.
func peakOfRun(t *testing.T) (kB int64) {
	_, rest, _ := strings.Cut(read(t, "/proc/self/status"), "VmHWM:")
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		t.Fatal(err)
	}
	return kB
}

// takeBenched takes in the URLs and visits of a run.
func takeBenched(t *testing.T, s *State, dir string) {
	breadth, err := order.New("breadth", nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := urlbatch.Open(filepath.Join(dir, "in.zst"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	for {
		rec, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(rec, order.Band(breadth, rec)); err != nil {
			t.Fatal(err)
		}
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for host := range strings.Lines(read(t, filepath.Join(dir, "visits"))) {
		v := visits.Visit{Host: strings.TrimSuffix(host, "\n"), Asked: 4, Answered: 4, Bytes: 100_000,
			Pause: time.Second, Took: time.Duration(rnd.IntN(300)) * time.Millisecond}
		if err := s.Visited(&v); err != nil {
			t.Fatal(err)
		}
	}
}
