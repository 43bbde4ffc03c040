package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

var setup = setupWith(urlbatch.Portion{Records: 10_000, Bytes: 1 << 20})

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	in := "http://a/1\tdepth=1\nhttp://a/2\nhttp://a/3\nhttp://b/1\nhttp://a:8080/1\nhttp://b/2\nbad line\n"
	r := stagetest.MustRun(t, tool(), setup, in, "-seed", "3", "-out", "out.txt")
	const want = `in 7
out out.txt 6 79 a9eb784450b0b032
reason bad-line 1
count hosts 3
because bad-line 1 bad-line:bad%2520line -
`
	if r.Report != want {
		t.Errorf("report:\n%s", r.Report)
	}
	text, _ := os.ReadFile("out.txt")
	if string(text) != "http://a/1\tdepth=1\nhttp://b/1\nhttp://a/2\nhttp://a:8080/1\nhttp://b/2\nhttp://a/3\n" {
		t.Errorf("got:\n%s", text)
	}
}

func TestScramble(t *testing.T) {
	var a, b []string
	for i := range 300 {
		a = append(a, fmt.Sprintf("http://h%d/%d\tdepth=%d", i%7, i, i%3))
		b = append(b, fmt.Sprintf("http://big/%d", i))
	}
	inA, inB := stagetest.Write(t, "a.zst", a...), stagetest.Write(t, "b.gz", b...)
	outputs := map[string]string{}
	for _, name := range []string{"one", "same", "other"} {
		out := filepath.Join(t.TempDir(), name+".zst")
		args := []string{"-out", out, inA, inB}
		if name == "other" {
			args = append([]string{"-seed", "9"}, args...)
		}
		stagetest.MustRun(t, tool(), setup, "", args...)
		lines := stagetest.Lines(t, out)
		outputs[name] = strings.Join(lines, "\n")
		for i := range lines[1:] {
			if host, next := strings.Split(lines[i], "/")[2], strings.Split(lines[i+1], "/")[2]; host == next {
				t.Fatalf("%s stands behind %s", lines[i+1], lines[i])
			}
		}
		if !slices.Equal(slices.Sorted(slices.Values(lines)),
			slices.Sorted(slices.Values(append(slices.Clone(a), b...)))) {
			t.Error("the records are not those of the inputs")
		}
	}
	if outputs["one"] != outputs["same"] {
		t.Error("the same records came in another order")
	}
	if outputs["one"] == outputs["other"] {
		t.Error("the seed changed nothing")
	}
}

// TestPortions holds that inputs above a portion are one output, spread piece by piece.
func TestPortions(t *testing.T) {
	var in strings.Builder
	for i := range 25 {
		fmt.Fprintf(&in, "http://a/%d\nhttp://b/%d\n", 2*i, 2*i)
		fmt.Fprintf(&in, "http://a/%d\nhttp://b/%d\n", 2*i+1, 2*i+1)
	}
	small := setupWith(urlbatch.Portion{Records: 8, Bytes: 1 << 20})
	r := stagetest.MustRun(t, tool(), small, in.String(), "-seed", "1")
	got, all := strings.Fields(r.Stdout), strings.Fields(in.String())
	if len(got) != len(all) || !r.Has("count hosts 26") { // two in each of 13 portions
		t.Fatalf("%d of %d records; report:\n%s", len(got), len(all), r.Report)
	}
	for at := 0; at < len(all); at += 8 {
		end := min(at+8, len(all))
		if !slices.Equal(slices.Sorted(slices.Values(got[at:end])), slices.Sorted(slices.Values(all[at:end]))) {
			t.Errorf("portion from %d: %q of %q", at, got[at:end], all[at:end])
		}
		for i := at; i+1 < end; i++ {
			if got[i][7] == got[i+1][7] {
				t.Errorf("%s stands behind %s", got[i+1], got[i])
			}
		}
	}
}

func TestHostileAndEmpty(t *testing.T) {
	r := stagetest.MustRun(t, tool(), setup, "nonsense\nhttp://\n://x\nhttp:///\n\x00\n")
	if strings.Count(r.Stdout, "\n") != 4 || !r.Has("reason bad-line 1") {
		t.Errorf("stdout %q, report:\n%s", r.Stdout, r.Report)
	}
	out := filepath.Join(t.TempDir(), "out.zst")
	r = stagetest.MustRun(t, tool(), setup, "", "-out", out)
	if _, err := os.Stat(out); err == nil || r.Report != "in 0\n" {
		t.Errorf("report of nothing:\n%s", r.Report)
	}
}

func TestFailures(t *testing.T) {
	there := filepath.Join(t.TempDir(), "there.zst")
	os.WriteFile(there, nil, 0o666)
	for _, c := range []struct{ out, want string }{
		{there, "exists already"},
		{filepath.Join(t.TempDir(), "no", "out"), "no such file"},
	} {
		r := stagetest.Run(t, tool(), setup, "http://a/\n", "-out", c.out)
		if r.Code != stage.ExitFailed || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%s: exit %d, stderr %q", c.out, r.Code, r.Stderr)
		}
	}
}
