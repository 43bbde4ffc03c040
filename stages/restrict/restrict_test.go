package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

func TestGolden(t *testing.T) {
	t.Chdir(t.TempDir())
	os.WriteFile("scope.txt", []byte("reject ext gif\nreject depth > 2\nkeep host a.org\nreject all\n"), 0o666)
	in := `# seeds
HTTP://A.org:80/x/../y#z
http://a.org/y.GIF	depth=1	via=http://b/
http://a.org/	depth=3	x=y
http://b.org/
mailto:a@b
http://a..b/
http://[/
bad line
` + "http://a.org/?" + strings.Repeat("x", 2199) + "\n"
	r := stagetest.MustRun(t, tool(), setup, in, "-rules", "scope.txt", "-kept", "kept.txt", "-rejected",
		"rejected.txt")
	const want = `in 9
out rejected.txt 8 2475 b07038bbc62c6efa
out kept.txt 1 15 5abe5507a4b82d60
count rejected-bad-host 1
count rejected-bad-line 1
count rejected-bad-url 1
count rejected-depth 1
count rejected-ext 1
count rejected-not-http 1
count rejected-out-of-scope 1
count rejected-trap-length 1
`
	if r.Report != want+becauses(r) {
		t.Errorf("report:\n%s", r.Report)
	}
	if got := stagetest.Lines(t, "kept.txt"); !slices.Equal(got, []string{"http://a.org/y"}) {
		t.Errorf("kept: %q", got)
	}
	rejected := stagetest.Lines(t, "rejected.txt")
	for _, want := range []string{
		"http://a.org/y.GIF\tdepth=1\tvia=http://b/\treason=ext",
		"http://a.org/\tdepth=3\tx=y\treason=depth",
		"mailto:a@b\treason=not-http",
		"bad-line:bad%20line\treason=bad-line",
	} {
		if !slices.Contains(rejected, want) {
			t.Errorf("rejected lacks %q: %q", want, rejected)
		}
	}
}

func TestCountedWithoutRejected(t *testing.T) {
	r := stagetest.MustRun(t, tool(), setup, "http://a/x.gif\nhttp://a/\n\x00\nftp://a/\n", "-rule",
		"reject ext gif as pictures", "-rule", "keep all")
	if r.Stdout != "http://a/\n" || r.Report != "in 4\nout - 1 10 "+xxh(r)+"\nreason bad-line 1\nreason not-http"+
		" 1\nreason pictures 1\n"+becauses(r) {
		t.Errorf("stdout %q, report:\n%s", r.Stdout, r.Report)
	}
}

// becauses returns the report's lines that tell why records went no further.
func becauses(r stagetest.Result) string {
	at := strings.Index(r.Report, "because ")
	return r.Report[max(at, 0):]
}

// Each reason has an example, and where it is a seed's what its owner may do.
func TestBecause(t *testing.T) {
	const explain, scheme = "restrict%20-rules%20FILE%20-explain%20URL%20prints%20which%20rule%20decides,%20and%20why",
		"write%20http://%20or%20https://%20in%20front%20of%20it"
	for _, c := range []struct{ in, want string }{
		{"mini.test", "bad-url 1 mini.test " + scheme},
		{"localhost:8777/", "not-http 1 localhost:8777/ " + scheme},
		{"mailto:a@b", "not-http 1 mailto:a@b " + explain},
		{"mailto:a@b\tvia=http://a/", "not-http 1 mailto:a@b -"},
		{"http://b/ü\nhttp://b/", "out-of-scope 2 http://b/%25C3%25BC " + explain},
		{"a\x1b b", "bad-line 1 bad-line:a%251B%2520b -"},
	} {
		r := stagetest.MustRun(t, tool(), setup, c.in+"\n", "-rule", "keep host a", "-rule", "reject all")
		if want := "because " + c.want + "\n"; becauses(r) != want {
			t.Errorf("%q: %q, want %q", c.in, becauses(r), want)
		}
	}
}

// xxh returns the hash in the report's out line.
func xxh(r stagetest.Result) string {
	_, rest, _ := strings.Cut(r.Report, "out - 1 10 ")
	return rest[:min(16, len(rest))]
}

func TestTraps(t *testing.T) {
	urls := []string{
		"http://a/" + strings.Repeat("x", 2040),
		"http://a/x/y/x/y/x/y/x/",
		"http://a/x/1/x/2/x/3/x/4",
		"http://a/a/b/c/a/b/c/a/b/c/a/b/c/",
		"http://a/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21",
		"http://a/deep\tdepth=1001",
		"http://a/events/2029/01/\tdepth=101",
		"http://a/events/?month=1825-12\tdepth=101",
	}
	in := strings.Join(urls, "\n")
	r := stagetest.MustRun(t, tool(), setup, in, "-now", "2026-11-21")
	for _, want := range []string{"reason trap-length 1", "reason trap-repeats 3", "reason trap-segments 1",
		"reason trap-depth 1", "reason trap-calendar 2"} {
		if r.Stdout != "" || !r.Has(want) {
			t.Errorf("no %q: kept %q, report:\n%s", want, r.Stdout, r.Report)
		}
	}
	spared := "http://a/" + strings.Repeat("x", 2039) +
		"\nhttp://a/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20\nhttp://a/x/y/x/y/x/y/\n" +
		"http://a/deep\tdepth=1000\nhttp://a/events/2028/12/\tdepth=101\nhttp://a/1826/01/02/\tdepth=101\n" +
		// Numbers of real pages.
		"http://a/sections/8-1774.03\tdepth=17\nhttp://a/fest-1809-10.html\tdepth=2\nhttp://a/2110/05/\tdepth=100\n" +
		"http://a/x-10-2048x1152.jpg\nhttp://a/03/08/1757e8e8-1\n"
	if r := stagetest.MustRun(t, tool(), setup, spared, "-now", "2026-11-21"); r.Stdout != spared {
		t.Errorf("rejected of what is within the bounds:\n%s", r.Report)
	}
	if r := stagetest.MustRun(t, tool(), setup, in, "-traps=false"); strings.TrimSpace(r.Stdout) != in {
		t.Errorf("report without traps:\n%s", r.Report)
	}
	for _, line := range strings.Split(strings.TrimSpace(traps), "\n") {
		help := stagetest.MustRun(t, tool(), setup, "", "-h").Stdout
		if !strings.Contains(help, line) {
			t.Errorf("-h lacks the trap %q", line)
		}
	}
}

func TestExplain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "scope.txt")
	os.WriteFile(path, []byte("keep depth <= 2 and not host a.org\nreject all\n"), 0o666)
	for url, want := range map[string]string{
		"http://B.org/#x depth=2": `kept: http://b.org/
rule:  keep depth <= 2 and not host a.org (` + path + `:1)
since: depth <= 2, and it is "2"
since: not host a.org, and it is "b.org"
`,
		"http://b.org/2032/05/?x=1999-01 depth=101 rel=listed": `rejected: http://b.org/2032/05/?x=1999-01 (reason trap-calendar)
rule:  reject depth > 100 and ahead > 2 as trap-calendar (traps:5)
since: depth > 100, and it is "101"
since: ahead > 2, and it is "6"
`,
		"http://b.org/\tdepth=3": "rejected: http://b.org/ (reason out-of-scope)\nrule:  reject all (" + path + ":2)\n",
		"http://a.org/":          "rejected: http://a.org/ (reason out-of-scope)\nrule:  reject all (" + path + ":2)\n",
		"\x1b[2Jhttp://a/":       "rejected: %1B[2Jhttp://a/, it has no canonical form (reason bad-url)\n",
	} {
		r := stagetest.Run(t, tool(), setup, "", "-rules", path, "-now", "2026-11-21", "-explain", url)
		if r.Code != stage.ExitDone || r.Stdout != want || r.Report != "" {
			t.Errorf("-explain %q: exit %d\n%s%s", url, r.Code, r.Stdout, r.Stderr)
		}
	}
}

func TestLongAttributes(t *testing.T) {
	in := "http://a/x.gif\tanchor=" + strings.Repeat("x", urlbatch.MaxLine-22)
	rejected := filepath.Join(t.TempDir(), "r")
	stagetest.MustRun(t, tool(), setup, in[:urlbatch.MaxLine]+"\n", "-rule", "reject all", "-rejected", rejected)
	if got := stagetest.Lines(t, rejected); !slices.Equal(got, []string{"http://a/x.gif\treason=out-of-scope"}) {
		t.Errorf("rejected: %.100q", got)
	}
}

func TestFailures(t *testing.T) {
	dir := t.TempDir()
	there := filepath.Join(dir, "there.zst")
	os.WriteFile(there, nil, 0o666)
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"output exists":   {[]string{"-kept", there}, "exists already"},
		"rejected exists": {[]string{"-rule", "reject all", "-rejected", there}, "exists already"},
		"no directory":    {[]string{"-kept", filepath.Join(dir, "no", "f")}, "no such file"},
		"no rules file":   {[]string{"-rules", filepath.Join(dir, "none")}, "read the rules: open"},
		"no bound":        {[]string{"-max-hosts", "0", "-domains", there}, "need -max-hosts above 0"},
		"explain what":    {[]string{"-explain", "http://a/ depth=x"}, `"depth=x" is not depth=N`},
		"explain whom":    {[]string{"-explain", "http://a/ via=x"}, `"via=x" is not depth=N`},
		"bad bound":       {[]string{"-max-hosts", "-1"}, "need -max-hosts above 0"},
		"bad rule":        {[]string{"-rule", "keep all", "-rule", "keep al"}, "-rule 2:1:6: unknown kind"},
	} {
		r := stagetest.Run(t, tool(), setup, "http://a/\n", c.args...)
		if r.Code == stage.ExitDone || !strings.Contains(r.Stderr, c.want) || r.Report != "" {
			t.Errorf("%s: exit %d, stderr %q", name, r.Code, r.Stderr)
		}
	}
	out := filepath.Join(dir, "empty.zst")
	if r := stagetest.MustRun(t, tool(), setup, "", "-kept", out); r.Report != "in 0\n" {
		t.Errorf("report of nothing: %q", r.Report)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}

func TestVerify(t *testing.T) {
	whole := stagetest.Write(t, "whole.zst", "http://a/\tdepth=2", "http://b/")
	if r := stagetest.Run(t, tool(), setup, "", "-verify", whole); r.Code != stage.ExitDone ||
		r.Stdout+r.Stderr+r.Report != "" {
		t.Errorf("a whole batch: %+v", r)
	}
	bad := filepath.Join(t.TempDir(), "bad.txt")
	if err := os.WriteFile(bad, []byte("http://a/\nno url\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-verify", whole, bad); r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, bad+":2: ") {
		t.Errorf("a line that is no record: %+v", r)
	}
}
