package again

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
)

var start = time.Date(2026, 11, 21, 12, 0, 0, 500, time.UTC)

func TestAfter(t *testing.T) {
	for tries, want := range map[int64]time.Duration{
		-1: 5 * time.Second, 0: 5 * time.Second, 1: 5 * time.Second, 2: 10 * time.Second, 10: 2560 * time.Second,
		11: time.Hour, 1 << 40: time.Hour,
	} {
		if got := After(Shortest, tries); got != want {
			t.Errorf("After(%v, %d) = %v, want %v", Shortest, tries, got, want)
		}
	}
	for tries, want := range map[int64]time.Duration{
		1: 40 * time.Second, 2: 80 * time.Second, 7: 2560 * time.Second, 8: time.Hour, 1 << 40: time.Hour,
	} {
		if got := After(40*time.Second, tries); got != want {
			t.Errorf("After(40s, %d) = %v, want %v", tries, got, want)
		}
	}
	if got := After(0, 1<<20); got != 0 {
		t.Errorf("After(0, many) = %v", got)
	}
}

func TestGoldenReport(t *testing.T) {
	t.Chdir(t.TempDir())
	rep := report.New()
	w := NewWriter(output.NewRun(io.Discard), "again.txt", rep)
	for _, c := range []struct {
		line  string
		after time.Duration
		wait  time.Duration
	}{
		{"http://c/", time.Minute, 3 * time.Second}, // the latest of its part
		{"http://a/\taddr=10.0.0.1:80\ttries=1\tuntil=9\tdelay=5", 0, 5 * time.Second},
		{"http://b/", time.Minute, 6 * time.Second},
		{"http://d/", 0, 0},
		{"http://e/", 0, 30 * time.Hour},
	} {
		rec, err := urlbatch.Parse([]byte(c.line))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Add(rec, start.Add(c.after), c.wait); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	rep.In(5)
	if err := rep.WriteFile("report"); err != nil {
		t.Fatal(err)
	}
	const want = `in 5
out again-00003.txt 1 10 f460d99b211ea5dc
out again.txt 2 28 f43211238df8c84a
out again-00002.txt 1 10 962301f9bfe03e69
out again-00004.txt 1 10 26d536013607e539
later again.txt 2026-11-21T12:01:06Z
later again-00002.txt 2026-11-21T12:01:11Z
later again-00004.txt 2026-11-21T13:00:01Z
`
	if got, _ := os.ReadFile("report"); string(got) != want {
		t.Errorf("report:\n%s", got)
	}
	if got, _ := os.ReadFile("again.txt"); string(got) != "http://c/\nhttp://a/\ttries=1\n" {
		t.Errorf("first part: %q", got)
	}
}

func TestFewParts(t *testing.T) {
	dir := t.TempDir()
	rep := report.New()
	w := NewWriter(output.NewRun(io.Discard), filepath.Join(dir, "a.zst"), rep)
	for i := range 5000 {
		if err := w.Add(urlbatch.New("http://a/"), start, time.Duration(i)*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(dir); len(files) > 12 {
		t.Errorf("%d parts", len(files))
	}
}

func TestStdoutKeepsLinesWhole(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(output.NewRun(&out), output.Stdout, report.New())
	const line = "http://example.org/some/where\n"
	for i := range 10_000 {
		if err := w.Add(urlbatch.New(line[:len(line)-1]), start, time.Duration(i)*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != string(bytes.Repeat([]byte(line), 10_000)) {
		t.Errorf("%d bytes, lines torn", len(got))
	}
}
