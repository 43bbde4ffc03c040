package report

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden file anew")

// full returns a report with a line of every kind.
func full() *Report {
	r := New()
	r.In(6)
	r.In(4)
	r.Out("/w/7/kept/m-000000000007-00001.zst", 6, 321, 0x1f)
	r.Made("/w/7/state/seen/a b%", 6, 112, 0xfedcba9876543210)
	r.Reason("seen", 3)
	r.Reason("bad-line", 1)
	r.Count("hosts", 2)
	r.Count("hosts", 1)
	r.Gauge("pages", 2)
	r.Gauge("pages", 9)
	r.Because("not-http", 1, "mini.test\x1b[2J", "write http://")
	r.Because("not-http", 2, "ftp://a.test/", "")
	r.Because("too-long", 1, strings.Repeat("a", 300), "")
	r.Because("unseen", 1, "", "")
	r.Replaces("/state/seen/m-000000000006-00001")
	r.Later("/w/7/kept/m-000000000007-00001.zst", time.Date(2026, 11, 21, 2, 0, 0, 0, time.FixedZone("", 3600)))
	r.Note("two\nlines")
	return r
}

func TestGolden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report")
	if err := full().WriteFile(path); err != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	golden := filepath.Join("testdata", "report.txt")
	if *update {
		os.WriteFile(golden, got, 0o666)
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if err := full().WriteFile(path); err == nil {
		t.Error("a report was overwritten")
	}
}

func TestLaw(t *testing.T) {
	for _, lost := range []int64{1, -1} {
		r := full()
		r.In(lost)
		path := filepath.Join(t.TempDir(), "report")
		if err := r.WriteFile(path); err == nil || !strings.Contains(err.Error(), "missing") {
			t.Errorf("in differs by %d: %v", lost, err)
		}
		if _, err := os.Stat(path); err == nil {
			t.Error("a report that breaks the law was written")
		}
		if _, err := r.Summary(); err == nil {
			t.Error("a summary of a report that breaks the law was given")
		}
	}
}

func TestMadeIsNotOut(t *testing.T) {
	r := New()
	r.In(5)
	r.Made("links", 5, 1, 1)
	if r.check() == nil {
		t.Error("records of another unit were counted as written")
	}
}

func TestNames(t *testing.T) {
	for _, name := range []string{"", "two words", "Upper", "a\nb"} {
		r := New()
		r.Count(name, 1)
		if r.check() == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

func TestSummary(t *testing.T) {
	got, err := full().Summary()
	const want = `10 in, 6 out, 6 made, 1 bad-line, 3 seen, hosts 3, pages 9, "two\nlines"`
	if got != want || err != nil {
		t.Errorf("Summary = %q, %v; want %q", got, err, want)
	}
}
