package examples

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// benchResult is what bench -json prints, so far as TestBench looks at it.
type benchResult struct {
	Version, Pages, Hosts, Transactions int
	Fsyncs                              *int
	Work                                struct{ Dir, Filesystem string }
	Contestants                         []struct {
		Name    string
		Command []string
		Runs    []map[string]float64
		Figures map[string]struct{ Median, Min, Max float64 }
	}
	Stages []struct {
		Name        string
		CPU         float64 `json:"cpu_seconds"`
		Runs, Share float64
		PeakMemory  float64 `json:"peak_memory"`
	}
}

// runBench runs bench on a web of four hosts, and returns what it printed on its outputs.
func runBench(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	cmd := exec.Command(filepath.Join(programs(t), "bench"),
		append([]string{"-hosts", "4", "-dir", t.TempDir()}, args...)...)
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	err = cmd.Run()
	return out.String(), said.String(), err
}

// What bench prints of a crawl agrees with what the web has, and with itself.
func TestBench(t *testing.T) {
	out, said, err := runBench(t, "-pages", "200", "-json")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	var r benchResult
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Version != 1 || r.Pages != 200 || r.Hosts != 4 || len(r.Contestants) != 2 {
		t.Fatalf("it says\n%s", out)
	}
	want := answersOf(t)
	ours, floor := r.Contestants[0], r.Contestants[1]
	if got := ours.Runs[0]["answers"]; ours.Name != "multitext" || got != want {
		t.Errorf("%s had %v answers, want %v", ours.Name, got, want)
	}
	// Two workers may ask for one robots.txt at once.
	if got := floor.Runs[0]["answers"]; floor.Name != "floor" || got < want || got > want+64 ||
		floor.Runs[0]["twice"] != 0 {
		t.Errorf("%s had %v answers, want %v and some robots.txt, no page twice", floor.Name, got, want)
	}
	if saved := want - 4; ours.Runs[0]["saved"] != saved || floor.Runs[0]["saved"] != saved {
		t.Errorf("of %v answers %v and %v are in the archives", saved, ours.Runs[0]["saved"], floor.Runs[0]["saved"])
	}
	for _, c := range r.Contestants {
		f, largest, sum := c.Runs[0], c.Figures["largest_mb"].Median, c.Figures["sum_mb"].Median
		if f["forbidden"] != 0 || f["pages_per_second"] <= 0 || f["cpu_seconds_per_1000_pages"] <= 0 ||
			largest < 0.1 || sum < largest || sum > 1000 {
			t.Errorf("%s: %v, %v MB, %v MB", c.Name, f, largest, sum)
		}
		if f["written_kb_per_page"] < 1 && !strings.HasPrefix(r.Work.Filesystem, "tmpfs") {
			t.Errorf("%s wrote %v KB a page on %s", c.Name, f["written_kb_per_page"], r.Work.Filesystem)
		}
	}
	share, cpu := 0.0, 0.0
	for _, s := range r.Stages {
		if s.CPU <= 0 || s.Runs < 1 || s.PeakMemory <= 0 && s.Name != "manager" {
			t.Errorf("stage %+v", s)
		}
		share, cpu = share+s.Share, cpu+s.CPU
	}
	if all := ours.Runs[0]["cpu_seconds_per_1000_pages"] / 1000 * 200; len(r.Stages) != 9 || math.Abs(share-1) > 1e-6 ||
		math.Abs(cpu-all) > 1e-6 {
		t.Errorf("%d stages have %v of the CPU time, %v s of %v", len(r.Stages), share, cpu, all)
	}
	if r.Transactions < 10 {
		t.Errorf("%d transactions", r.Transactions)
	}
	if _, err := exec.LookPath("strace"); err == nil && (r.Fsyncs == nil || *r.Fsyncs < r.Transactions) {
		t.Errorf("%d transactions and %v fsyncs; it said\n%s", r.Transactions, r.Fsyncs, said)
	}
	if _, err := os.Stat(r.Work.Dir); err == nil || r.Work.Dir == "" {
		t.Errorf("%q is still there", r.Work.Dir)
	}
}

// answersOf is the number of answers that a polite crawl of bench's web has, by the web's own
// model.
func answersOf(t *testing.T) (n float64) {
	t.Helper()
	b := &bench{t: t}
	for line := range strings.Lines(b.output(programs(t)+"/testweb", "-reach", "-v", "-plain", "-hosts", "4", "-pages",
		"50", "http://h000.test/")) {
		url, kind, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if kind != "forbidden" && !strings.HasSuffix(url, ".gif") && !strings.HasSuffix(url, ".css") {
			n++
		}
	}
	return n + 4 // robots.txt
}

// bench holds multitext against others, in words for people.
func TestBenchPeers(t *testing.T) {
	if _, err := exec.LookPath("wget"); err != nil {
		t.Skip("wget is not installed")
	}
	out, said, err := runBench(t, "-pages", "40", "-vs", "wget,old="+programs(t), "-watch=false")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	if strings.Contains(said, "no namespaces of its own") {
		t.Skip(said)
	}
	if first, _, _ := strings.Cut(said, "\n"); !strings.HasPrefix(first, "40 pages, round 1 of 1: floor, ") {
		t.Errorf("%q begins; round 1 is to begin with the second, floor", first)
	}
	lines := strings.Split(out, "\n")
	if len(lines) < 6 || strings.Join(strings.Fields(lines[3]), " ") != "multitext floor old wget" ||
		strings.Count(lines[5], "×") != 3 {
		t.Errorf("it printed\n%s", out)
	}
}

// A crawler that ends before it has all pages is an error, not fast.
func TestBenchGivesUpEarly(t *testing.T) {
	lazy := t.TempDir()
	if err := os.WriteFile(filepath.Join(lazy, "manager"), []byte("#!/bin/sh\nexit 0\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	_, said, err := runBench(t, "-pages", "40", "-vs", "lazy="+lazy, "-watch=false")
	if err == nil || !strings.Contains(said, "lazy had 0 of 40 pages") {
		t.Errorf("%v\n%s", err, said)
	}
}

// Nor is one that keeps nothing of what it has fetched.
func TestBenchKeepsNothing(t *testing.T) {
	if _, err := exec.LookPath("wget"); err != nil {
		t.Skip("wget is not installed")
	}
	_, said, err := runBench(t, "-pages", "40", "-peer",
		"wgetter=wget -q -r -l inf -H -D test --delete-after http://h000.test/", "-watch=false")
	if strings.Contains(said, "no namespaces of its own") {
		t.Skip(said)
	}
	if err == nil || !strings.Contains(said, "wgetter was served 40 URLs and left 0 files") {
		t.Errorf("%v\n%s", err, said)
	}
}

// The command that the package comment tries with -peer is one that it takes, whatever it is
// called: wget ends with exit code 8 where a link was dead.
func TestBenchPeer(t *testing.T) {
	if _, err := exec.LookPath("wget"); err != nil {
		t.Skip("wget is not installed")
	}
	out, said, err := runBench(t, "-pages", "40", "-peer", "mirror=wget -q -r -l inf -H -D test http://h000.test/",
		"-watch=false")
	if strings.Contains(said, "no namespaces of its own") {
		t.Skip(said)
	}
	if err != nil || !strings.Contains(out, "mirror") {
		t.Errorf("%v\n%s%s", err, out, said)
	}
}

// What cannot be crawled by is found before anything is crawled.
func TestBenchWrongUsage(t *testing.T) {
	for _, c := range []struct {
		want string
		args []string
	}{
		{"bench -h shows the flags", []string{"-n", "0"}},
		{"bench -h shows the flags", []string{"-frob"}},
		{"find the programs of old: ", []string{"-vs", "old=" + t.TempDir()}},
		{"want NAME=FOLDER", []string{"-vs", "../old=" + programs(t)}},
		{"want NAME=FOLDER", []string{"-vs", "=" + programs(t)}},
		{"read the script: ", []string{"-script", filepath.Join(t.TempDir(), "none.toml")}},
	} {
		out, said, err := runBench(t, append([]string{"-pages", "4", "-watch=false"}, c.args...)...)
		if err == nil || out != "" || !strings.Contains(said, c.want) || strings.Contains(said, "round") {
			t.Errorf("%q: %v, want %q\n%s%s", c.args, err, c.want, out, said)
		}
	}
}

// A table holds webs of several sizes against the first.
func TestBenchSizes(t *testing.T) {
	out, said, err := runBench(t, "-pages", "4,12", "-watch=false")
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	_, table, _ := strings.Cut(out, "by the size of the web")
	lines := strings.Split(table, "\n")
	if len(lines) != 7 {
		t.Fatalf("it printed\n%s", out)
	}
	for i, start := range []string{"multitext 4 4 ", "multitext 12 4 ", "floor 4 4 ", "floor 12 4 "} {
		fields := strings.Fields(lines[2+i])
		if len(fields) != 10 || !strings.HasPrefix(strings.Join(fields, " "), start) ||
			(i%2 == 0) != (fields[5] == "1.00" && fields[7] == "1.00" && fields[9] == "1.00") {
			t.Errorf("line %q, want %s…", lines[2+i], start)
		}
	}
}
