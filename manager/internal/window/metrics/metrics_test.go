package metrics

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/window/crawls"
	"multitext/script"
	"multitext/txlog"
)

const flow = `
flow  = 1
dir   = "crawl"
seeds = { a = "none" }
[stage.one]
in  = "a"
out = "b"
run = "no-such-program {in}"
[stop]
records = { b = 4 }
`

// hostile is the name of a reason that a report cannot have today.
const hostile = "a \"b\\\n} 1\x00\u202e\xff"

// newCrawl writes a crawl: a batch, a run that commits with many reasons, and one that fails.
func newCrawl(t testing.TB, reasons []txlog.Count, more ...txlog.Record) *crawls.Crawl {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	s, err := script.Parse(filepath.Join(dir, "flow.toml"), []byte(flow), nil)
	must(err)
	for _, name := range []string{"", "a", "b", "work", "history"} {
		must(os.Mkdir(filepath.Join(s.Dir, name), 0o777))
	}
	log, err := txlog.Begin(txlog.OS{}, s.Dir, txlog.NewState("e"), nil)
	must(err)
	noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	run := txlog.Run{Start: noon, End: noon.Add(90 * time.Second), CPU: 1500 * time.Millisecond, Memory: 1 << 20}
	first, second := batch("a", 1, 1), batch("a", 1, 2)
	records := []txlog.Record{
		&txlog.Commit{Tx: 1, Run: txlog.Run{Start: noon, End: noon}, Read: -1, Outputs: []txlog.Output{first, second}},
		&txlog.Commit{Tx: 2, Stage: "one", Run: run, Read: 4, Inputs: []txlog.Input{{Name: first.Name, Records: 4, Gone: true}},
			Outputs: []txlog.Output{batch("b", 2, 1)}, Reasons: reasons, Counts: []txlog.Count{{Name: "waits", N: 3}}},
		&txlog.Abort{Tx: 3, Stage: "one", Run: run, Why: "exit code 1", Inputs: []txlog.Input{{Name: second.Name, Records: 4}},
			Rest: time.Now().Add(time.Hour), Marks: []txlog.Mark{{Name: second.Name, Stage: "one", Fails: 3, Aside: true}}},
	}
	for _, r := range append(records, more...) {
		must(log.Append(r))
	}
	must(log.Close())
	c := &crawls.Crawl{Name: "tour", Crawl: follow.New(s)}
	t.Cleanup(c.Close)
	return c
}

func batch(queue string, tx uint64, part int) txlog.Output {
	return txlog.Output{Name: txlog.Name(queue + "/" + txlog.FileName("m", tx, part, "zst")), Size: 40,
		Hash: "00000000deadbeef", Records: 4}
}

// scrape returns the answer to a Prometheus, without the lines of disk_free_bytes, which differ.
func scrape(t *testing.T, accept string, all ...*crawls.Crawl) string {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, "/metrics", nil)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	Handler(all).ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d\n%s", w.Code, w.Body)
	}
	return w.Body.String()
}

func has(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("there is no line\n%s\nin\n%s", line, text)
		}
	}
}

func TestFigures(t *testing.T) {
	text := scrape(t, "application/openmetrics-text; version=1.0.0", newCrawl(t, []txlog.Count{{Name: hostile, N: 5}}))
	has(t, text,
		`# TYPE multitext_transactions counter`,
		`multitext_crawl_readable{crawl="tour"} 1.0`,
		`multitext_manager_running{crawl="tour"} 0.0`,
		`multitext_crawl_done{crawl="tour"} 1.0`,
		`multitext_crawl_limit_reached{crawl="tour"} 1.0`,
		`multitext_transactions_total{crawl="tour"} 3.0`,
		`multitext_last_commit_timestamp_seconds{crawl="tour"} 1.79526249e+09`,
		`multitext_disk_limit_bytes{crawl="tour"} 6.7108864e+07`,
		`multitext_stage_runs_total{crawl="tour",result="commit",stage="one"} 1.0`,
		`multitext_stage_runs_total{crawl="tour",result="failure",stage="one"} 1.0`,
		`multitext_stage_resting{crawl="tour",stage="one"} 1.0`,
		`multitext_stage_read_records_total{crawl="tour",stage="one"} 4.0`,
		`multitext_stage_cpu_seconds_total{crawl="tour",stage="one"} 3.0`,
		`multitext_stage_peak_memory_bytes{crawl="tour",stage="one"} 1.048576e+06`,
		`multitext_stage_batches{crawl="tour",stage="one",state="aside"} 1.0`,
		`multitext_stage_dropped_records_total{crawl="tour",reason="a \"b\\\\x0a} 1\\x00\\x202e\\xfffd",stage="one"} 5.0`,
		`multitext_stage_reported{crawl="tour",name="waits",stage="one"} 3.0`,
		`multitext_queue_batches{crawl="tour",queue="a"} 1.0`,
		`multitext_queue_bytes{crawl="tour",queue="b"} 40.0`,
		`multitext_queue_aside_batches{crawl="tour",queue="a"} 1.0`,
		`multitext_queue_oldest_batch_timestamp_seconds{crawl="tour",queue="a"} 1.7952624e+09`,
		`multitext_queue_committed_records_total{crawl="tour",queue="b"} 4.0`,
		`# EOF`)
	if !strings.Contains(text, "multitext_disk_free_bytes{") {
		t.Error("there is no free space")
	}
}

// A report with ever new reasons makes no more than mostNames+1 series.
func TestNamesAreBounded(t *testing.T) {
	var reasons []txlog.Count
	for i := range 3 * mostNames {
		reasons = append(reasons, txlog.Count{Name: fmt.Sprintf("r%03d", i), N: 1})
	}
	text := scrape(t, "", newCrawl(t, reasons))
	if n := strings.Count(text, "\nmultitext_stage_dropped_records_total{"); n != mostNames+1 {
		t.Errorf("%d series, want %d", n, mostNames+1)
	}
	has(t, text, `multitext_stage_dropped_records_total{crawl="tour",reason="other",stage="one"} 200`)
}

// TestHostileQueue: a log of somebody else may name its queues as it likes.
func TestHostileQueue(t *testing.T) {
	c := newCrawl(t, nil, &txlog.Commit{Tx: 4, Seed: "s", Read: -1, Outputs: []txlog.Output{batch("q\xfe", 4, 1)}})
	has(t, scrape(t, "", c), `multitext_queue_batches{crawl="tour",queue="q\\xfffd"} 1`)
}

// A crawl that cannot be read says so, and the others are shown.
func TestUnreadable(t *testing.T) {
	good, bad := newCrawl(t, nil), newCrawl(t, nil)
	bad.Name = "bad"
	if err := os.WriteFile(filepath.Join(bad.Script().Dir, "log"), []byte("nothing\nsuch\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	text := scrape(t, "", good, bad)
	has(t, text, `multitext_crawl_readable{crawl="bad"} 0`, `multitext_crawl_readable{crawl="tour"} 1`)
	if strings.Count(text, `{crawl="bad"`) != 1 {
		t.Errorf("more is said of it in\n%s", text)
	}
}

// promtool has no complaint about names, types and help texts.
func TestPromtoolAccepts(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool here; Debian has it in the package prometheus")
	}
	cmd := exec.Command(promtool, "check", "metrics")
	cmd.Stdin = strings.NewReader(scrape(t, "", newCrawl(t, []txlog.Count{{Name: hostile, N: 5}})))
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}

// Figures are used again for a hundred times the time that they took.
func TestFiguresAreUsedAgain(t *testing.T) {
	crawl := newCrawl(t, nil)
	now := time.Unix(0, 0)
	c := newCollector([]*crawls.Crawl{crawl}, func() time.Time { now = now.Add(time.Second); return now })
	count := func() int { return len(c.look(c.crawls[0])) }
	whole := count() // this look took a second of that clock
	log := filepath.Join(crawl.Script().Dir, "log")
	if err := errors.Join(os.Remove(log), os.WriteFile(log, []byte("nothing\nsuch\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	now = time.Unix(100, 0)
	if again := count(); again != whole {
		t.Errorf("%d metrics at once, and %d after 99 s", whole, again)
	}
	if later := count(); later != 1 {
		t.Errorf("%d metrics, and %d after 100 s of a crawl that cannot be read now", whole, later)
	}
}
