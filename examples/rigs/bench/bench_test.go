package main

import (
	"bufio"
	"io"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestCalls(t *testing.T) {
	const trace = `100 fdatasync(7)                        = 0
101 fsync(8 <unfinished ...>
100 fsync(9)                            = 0
101 <... fsync resumed>)                = 0
101 sync_file_range(5, 0, 8388608, SYNC_FILE_RANGE_WRITE) = 0
102 +++ exited with 0 +++
`
	if n := calls(trace); n != 4 {
		t.Errorf("%d calls, want 4", n)
	}
}

// A signal that ends strace ends the command under it, too, and at once: bench waits for that.
func TestStraceIsEnded(t *testing.T) {
	words := strace(filepath.Join(t.TempDir(), "trace"))
	if words == nil {
		t.Skip("no strace")
	}
	cmd := exec.Command(words[0], append(words[1:], "sh", "-c", "echo started; exec sleep 20")...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	cmd.Process.Signal(syscall.SIGTERM)
	io.Copy(io.Discard, in) // until the command has ended, too
	if err := cmd.Wait(); err == nil {
		t.Error("SIGTERM was held back, and the command ran to its end")
	}
}

func TestWritten(t *testing.T) {
	const io = "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 8192\ncancelled_write_bytes: 4096\n"
	if n := written(io); n != 4096 {
		t.Errorf("%d bytes, want 4096", n)
	}
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v        float64
		decimals int
		want     string
	}{{0, 0, "0"}, {999.4, 0, "999"}, {1000, 0, "1,000"}, {1234567.891, 2, "1,234,567.89"}, {-1000, 0, "-1,000"},
		{-100, 1, "-100.0"}} {
		if got := number(c.v, c.decimals); got != c.want {
			t.Errorf("%v is %q, want %q", c.v, got, c.want)
		}
	}
}

// The ratio is the median of those within a round, 2, 0.4 and 5, and not that of the medians, 1: a
// round that is slow is slow for both.
func TestRatioIsWithinARound(t *testing.T) {
	entry := func(seconds ...float64) *entry {
		e := &entry{}
		for _, s := range seconds {
			e.outings = append(e.outings, &outing{cost: cost{wall: time.Duration(s * float64(time.Second))},
				served: &served{}})
		}
		return e
	}
	ours, other := entry(1, 10, 4), entry(2, 4, 20)
	s := other.spreads(ours, 100)["pages_per_second"]
	if s.Median != 25 || s.Min != 5 || s.Max != 50 || s.Ratio == nil || math.Abs(*s.Ratio-2) > 1e-9 {
		t.Errorf("%+v, ratio %v", s, *s.Ratio)
	}
	if s := ours.spreads(ours, 100)["pages_per_second"]; s.Ratio != nil {
		t.Errorf("held against itself: %v", *s.Ratio)
	}
}

func TestSizes(t *testing.T) {
	for _, c := range []struct {
		pages, hosts numbers
		want         []size
	}{
		{numbers{8}, numbers{2}, []size{{8, 2}}},
		{numbers{8, 16}, numbers{2}, []size{{8, 2}, {16, 2}}},
		{numbers{8}, numbers{2, 4}, []size{{8, 2}, {8, 4}}},
		{numbers{8, 16}, numbers{2, 4}, []size{{8, 2}, {16, 4}}},
	} {
		if got := (&options{pages: c.pages, hosts: c.hosts}).sizes(); !slices.Equal(got, c.want) {
			t.Errorf("%v and %v are %v, want %v", c.pages, c.hosts, got, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Errorf("of three: %v", got)
	}
	if got := median([]float64{9, 1, 5, 6}); got != 5.5 {
		t.Errorf("of four: %v", got)
	}
}

// A fast host's answers wait for the delay, a slow one's for the slowness.
func TestPoliteTimes(t *testing.T) {
	s := &served{}
	s.Hosts = append(s.Hosts, struct {
		Answers int
		Busy    float64
	}{3, 0.03}, struct {
		Answers int
		Busy    float64
	}{2, 2})
	want := []time.Duration{10 * time.Millisecond, 120 * time.Millisecond, 230 * time.Millisecond, time.Second,
		7 * time.Second}
	got := politeTimes(s)
	if len(got) != len(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range want {
		if (got[i] - want[i]).Abs() > time.Microsecond {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestLooks(t *testing.T) {
	at := time.Unix(1000, 0)
	all := looks{{at, 0}, {at.Add(time.Second), 5}, {at.Add(2 * time.Second), 9}}
	for n, want := range map[int]time.Duration{1: time.Second, 5: time.Second, 6: 2 * time.Second,
		10: 2 * time.Second} {
		if got := all.when(n).Sub(at); got != want {
			t.Errorf("%d answers were there after %v, want %v", n, got, want)
		}
	}
}

func TestTailOfWhatWasSaid(t *testing.T) {
	said := &tail{}
	for range 100 {
		if n, err := said.Write([]byte(strings.Repeat("x", 100))); n != 100 || err != nil {
			t.Fatal(n, err)
		}
	}
	said.Write([]byte("end"))
	if got := said.String(); len(got) != tailLength || !strings.HasSuffix(got, "xend") {
		t.Errorf("%d bytes that end with %q", len(got), got[len(got)-5:])
	}
}

func TestOptions(t *testing.T) {
	for args, want := range map[string]string{
		"-pages 7 -hosts 2":       "multiple of -hosts",
		"-pages 1 -hosts 2":       "multiple of -hosts",
		"-pages 4,7 -hosts 2":     "multiple of -hosts",
		"-pages 4,8 -hosts 1,2,4": "one length",
		"-pages 4, -hosts 2":      "want numbers",
		"-hosts 0":                "want numbers",
		"-tail -hosts 1,2":        "one size",
		"-peer wget":              "want NAME=COMMAND",
		"-peer a/b=wget":          "want NAME=COMMAND",
		"-n 0":                    "1 at least",
		"-vs lynx":                `"lynx" is none of wget2`,
		"-tail -n 2":              "alone",
		"-tail -vs wget":          "alone",
		"-bin " + t.TempDir():     "go build",
		"crawl.toml":              "unexpected argument",
	} {
		var said strings.Builder
		if _, err := parseOptions(strings.Fields(args), &said); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", args, err, want)
		}
	}
}
