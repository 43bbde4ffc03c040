package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

func noon() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }

var setup = setupWith(noon, urlbatch.Portion{Records: 10_000, Bytes: 1 << 20})

func TestGoldenHold(t *testing.T) {
	t.Chdir(t.TempDir())
	in := "http://a/1\thttp=x\nhttp://a/2\nhttp://b/1\nhttp://a/3\nhttp://a/4\nbad line\nhttp://a/5\nhttp://c/1\n"
	r := stagetest.MustRun(t, tool(), setup, in, "-urls", "3", "-per-host", "2", "-hold", "90s", "-out", "b.txt")
	const want = `in 8
out b.txt 2 29 0a70f2e9fc8118db
out b-00002.txt 2 22 12380cd663e4b919
out b-00003.txt 2 22 93668da21c62c07b
out b-00004.txt 1 11 40dedd010ab255d8
reason bad-line 1
because bad-line 1 bad-line:bad%2520line -
later b-00003.txt 2026-11-21T12:01:30Z
later b-00004.txt 2026-11-21T12:03:00Z
`
	if r.Report != want {
		t.Errorf("report:\n%s", r.Report)
	}
	for n, want := range []string{
		"http://a/1\thttp=x\nhttp://a/2\n", "http://b/1\nhttp://c/1\n", "http://a/3\nhttp://a/4\n", "http://a/5\n",
	} {
		if got, _ := os.ReadFile(output.PartName("b.txt", n+1)); string(got) != want {
			t.Errorf("part %d: %q, want %q", n+1, got, want)
		}
	}
}

func TestBatch(t *testing.T) {
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("http://h%d/%d\tdepth=%d", i%40, i, i%5))
	}
	a, b := stagetest.Write(t, "a.zst", lines[:700]...), stagetest.Write(t, "b.gz", lines[700:]...)
	out := filepath.Join(t.TempDir(), "m-000000000007-00001.zst")
	r := stagetest.MustRun(t, tool(), setup, "", "-urls", "300", "-out", out, a, b)
	var got []string
	for n := range 4 {
		part := stagetest.Lines(t, output.PartName(out, n+1))
		if len(part) != 250 {
			t.Errorf("part %d holds %d records", n+1, len(part))
		}
		got = append(got, part...)
	}
	if !slices.Equal(got, lines) {
		t.Error("the order of the records was not kept")
	}
	if strings.Contains(r.Report, "later") || strings.Contains(r.Report, "note") {
		t.Errorf("report:\n%s", r.Report)
	}
}

// TestPortions holds that inputs above a portion are cut piece by piece, and held one hold behind
// the other all the same.
func TestPortions(t *testing.T) {
	t.Chdir(t.TempDir())
	in := "http://c/\nhttp://d/\n" + strings.Repeat("http://a/\n", 4) + strings.Repeat("http://b/\n", 4)
	small := setupWith(noon, urlbatch.Portion{Records: 6, Bytes: 1 << 20})
	r := stagetest.MustRun(t, tool(), small, in, "-per-host", "2", "-hold", "1m", "-out", "b.txt")
	var parts []string
	for n := range 4 {
		text, _ := os.ReadFile(output.PartName("b.txt", n+1))
		parts = append(parts, strings.ReplaceAll(string(text), "http://", ""))
	}
	if want := []string{"c/\nd/\na/\na/\n", "a/\na/\n", "b/\nb/\n", "b/\nb/\n"}; !slices.Equal(parts, want) {
		t.Errorf("parts %q, want %q", parts, want)
	}
	if !r.Has("later b-00002.txt 2026-11-21T12:01:00Z") || !r.Has("later b-00004.txt 2026-11-21T12:02:00Z") {
		t.Errorf("report:\n%s", r.Report)
	}
}

// TestLargeHostIsHeld holds that by default one large host neither cuts the URLs of others into
// crumbs nor stands before them.
func TestLargeHostIsHeld(t *testing.T) {
	t.Chdir(t.TempDir())
	var in strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&in, "http://large/%d\n", i)
	}
	for i := range 600 {
		fmt.Fprintf(&in, "http://h%d/%d\n", i%60, i)
	}
	big := setupWith(noon, urlbatch.Portion{Records: 20_000, Bytes: 1 << 20})
	r := stagetest.MustRun(t, tool(), big, in.String(), "-out", "b.txt", "-again", "a.txt")
	if n := len(stagetest.Lines(t, "b.txt")); n != 650 || strings.Count(r.Report, "\nout b") != 1 {
		t.Errorf("the first of the batches due at once has %d records, want 650 and no other batch:\n%.300s", n,
			r.Report)
	}
	if n := strings.Count(r.Report, "\nout a"); n != 199 || !r.Has("later a.txt 2026-11-21T12:01:00Z") ||
		!r.Has("later a-00199.txt 2026-11-21T15:19:00Z") {
		t.Errorf("%d batches are held:\n%.300s", n, r.Report)
	}
	r = stagetest.MustRun(t, tool(), big, in.String(), "-out", "c.txt")
	if n := len(stagetest.Lines(t, "c.txt")); n != 650 || !r.Has("later c-00002.txt 2026-11-21T12:05:00Z") {
		t.Errorf("without -again %d records are due at once:\n%.300s", n, r.Report)
	}
}

// TestFewHostsWaitForNothing holds that nothing is held where most hosts are large.
func TestFewHostsWaitForNothing(t *testing.T) {
	in := strings.Repeat("http://a/\nhttp://b/\n", 500) + "http://c/\n"
	for _, hold := range []string{"1m", ""} {
		r := stagetest.MustRun(t, tool(), setup, in, "-hold", hold, "-out", filepath.Join(t.TempDir(), "b.zst"))
		if strings.Contains(r.Report, "later") {
			t.Errorf("-hold %q:\n%s", hold, r.Report)
		}
	}
}

func TestFewHostsAreNoted(t *testing.T) {
	in := strings.Repeat("http://a/\nhttp://b/\n", 500)
	r := stagetest.MustRun(t, tool(), setup, in, "-per-host", "50", "-out", filepath.Join(t.TempDir(), "b.zst"))
	if strings.Count(r.Report, "\nout ") != 10 || !strings.Contains(r.Report,
		"note -per-host%2050%20cuts%201000%20URLs") {
		t.Errorf("report:\n%s", r.Report)
	}
}

func TestPipe(t *testing.T) {
	in := strings.Repeat("http://a/\n", 7)
	r := stagetest.MustRun(t, tool(), setup, in+"\x1b\n", "-urls", "2", "-per-host", "1", "-hold", "1m")
	if r.Stdout != in || strings.Contains(r.Report, "later") || !r.Has("reason bad-line 1") {
		t.Errorf("stdout %q, report:\n%s", r.Stdout, r.Report)
	}
}

func TestEmpty(t *testing.T) {
	out := filepath.Join(t.TempDir(), "b.zst")
	r := stagetest.MustRun(t, tool(), setup, "", "-out", out)
	if _, err := os.Stat(out); err == nil || r.Report != "in 0\n" {
		t.Errorf("report of nothing: %q", r.Report)
	}
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "b-00002.txt"), nil, 0o666)
	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"second part exists": {[]string{"-urls", "1", "-out", filepath.Join(dir, "b.txt")}, stage.ExitFailed,
			"b-00002.txt: it exists already"},
		"no directory": {[]string{"-out", filepath.Join(dir, "no", "b")}, stage.ExitFailed, "no such file"},
		"negative":     {[]string{"-urls", "-1"}, stage.ExitUsage, "must not be negative"},
	} {
		r := stagetest.Run(t, tool(), setup, "http://a/\nhttp://b/\n", c.args...)
		if r.Code != c.code || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%s: exit %d, stderr %q", name, r.Code, r.Stderr)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("a failed run left %v", left)
	}
}
