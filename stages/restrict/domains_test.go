package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

var update = flag.Bool("update", false, "write testdata anew, for a new version of the format")

// A webCrawl plays the manager: it keeps the list of the state.
type webCrawl struct {
	dir   string
	paths []string
	runs  int
}

func (c *webCrawl) list() string { return filepath.Join(c.dir, "list") }

// restrict runs the stage with at most three hosts a domain, and commits it; it returns what is
// kept.
func (c *webCrawl) restrict(t *testing.T, urls ...string) []string {
	t.Helper()
	c.runs++
	segment := filepath.Join(c.dir, fmt.Sprint("domains-", c.runs))
	r := stagetest.MustRun(t, tool(), setup, strings.Join(urls,
		"\tvia=http://page.test/\n")+"\tvia=http://page.test/\n", "-max-hosts", "3", "-domains", c.list(), "-new",
		segment, "-rule", "reject path /no as no", "-rule", "keep all")
	kept := strings.Fields(strings.ReplaceAll(r.Stdout, "\tvia=http://page.test/", ""))
	if n := strings.Count(strings.Join(urls, " "), "/no"); len(urls)-len(kept)-n > 0 &&
		!r.Has(fmt.Sprint("reason trap-hosts ", len(urls)-len(kept)-n)) {
		t.Errorf("kept %q, report:\n%s", kept, r.Report)
	}
	c.paths = c.paths[:len(c.paths)-strings.Count(r.Report, "replaces ")]
	if _, err := os.Stat(segment); err == nil {
		c.paths = append(c.paths, segment)
	}
	os.WriteFile(c.list(), []byte(strings.Join(append(slices.Clone(c.paths), ""), "\n")), 0o666)
	return kept
}

// TestDomainsKeepNoURLs holds that of a URL only its domain is kept.
func TestDomainsKeepNoURLs(t *testing.T) {
	list := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(list, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := openDomains(list, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	defer d.set.Close()
	long := strings.Repeat("long", 1000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const hosts = 1000
	for i := range hosts {
		if in, err := d.admit(fmt.Appendf(nil, "http://www.example-%d.org/%s", i, long), false); !in || err != nil {
			t.Fatal(in, err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n := int64(after.HeapAlloc-before.HeapAlloc) / hosts; n > 1000 {
		t.Errorf("%d bytes a domain", n)
	}
	runtime.KeepAlive(d)
}

func TestHostsOfADomain(t *testing.T) {
	c := &webCrawl{dir: t.TempDir()}
	for i, tt := range []struct{ urls, kept string }{
		{"http://trap.test/ http://x1.trap.test/ http://x1.trap.test/a http://plain.test/",
			"http://trap.test/ http://x1.trap.test/ http://x1.trap.test/a http://plain.test/"},
		{"http://x9.trap.test/no", ""}, // what the rules reject takes no place
		{"http://x2.trap.test/ http://x3.trap.test/ http://x3.trap.test/a http://x1.trap.test/b",
			"http://x2.trap.test/ http://x1.trap.test/b"},
		{"https://x4.trap.test/ https://x1.trap.test/", "https://x1.trap.test/"},
		{"http://trap.test:8080/ http://x2.trap.test/", "http://x2.trap.test/"}, // another port is another host
		{"http://a.github.io/ http://b.github.io/ http://c.github.io/ http://d.github.io/",
			"http://a.github.io/ http://b.github.io/ http://c.github.io/ http://d.github.io/"},
		{"http://[2001:db8::1]/ http://[2001:db8::2]/ http://[2001:db8:0:9::3]/ http://[2001:db8::4]/" +
			" http://[2001:db8:1::4]/", "http://[2001:db8::1]/ http://[2001:db8::2]/ http://[2001:db8:0:9::3]/" +
			" http://[2001:db8:1::4]/"},
		{"http://192.0.2.1:1/ http://192.0.2.1:2/ http://192.0.2.1:3/ http://192.0.2.1:4/",
			"http://192.0.2.1:1/ http://192.0.2.1:2/ http://192.0.2.1:3/"},
	} {
		if kept := c.restrict(t, strings.Fields(tt.urls)...); !slices.Equal(kept, strings.Fields(tt.kept)) {
			t.Errorf("run %d: kept %q, want %q", i+1, kept, tt.kept)
		}
	}
	if r := stagetest.Run(t, tool(), setup, "", append([]string{"-verify"}, c.paths...)...); r.Code != stage.ExitDone {
		t.Errorf("-verify: %+v", r)
	}
	for url, want := range map[string]string{
		"http://x9.trap.test/": "rejected: http://x9.trap.test/ (reason trap-hosts)\nrule:  keep all (no rules:1)\n" +
			"hosts: 3 of 3 that trap.test may have are taken up, and x9.trap.test is not one of them (a seed is" +
			" kept)\n",
		"http://x1.trap.test/": "kept: http://x1.trap.test/\nrule:  keep all (no rules:1)\n" +
			"hosts: 3 of 3 that trap.test may have are taken up, and x1.trap.test is one of them\n",
		"http://b.plain.test/": "kept: http://b.plain.test/\nrule:  keep all (no rules:1)\n" +
			"hosts: 1 of 3 that plain.test may have are taken up, and b.plain.test is not one of them\n",
	} {
		if r := stagetest.Run(t, tool(), setup, "", "-max-hosts", "3", "-domains", c.list(), "-explain",
			url); r.Stdout != want {
			t.Errorf("-explain %s:\n%s%swant\n%s", url, r.Stdout, r.Stderr, want)
		}
	}
}

// TestSeedsAreTakenUp holds that a seed's host is kept however full its domain is, for good.
func TestSeedsAreTakenUp(t *testing.T) {
	dir := t.TempDir()
	list, segment := filepath.Join(dir, "list"), filepath.Join(dir, "domains")
	const via = "\tvia=http://x1.trap.test/\n"
	in := "http://x1.trap.test/" + via + "http://x2.trap.test/" + via +
		"http://x2.trap.test/seed\nhttp://x2.trap.test/a" + via + "http://x3.trap.test/" + via
	want := "http://x1.trap.test/" + via + "http://x2.trap.test/seed\nhttp://x2.trap.test/a" + via
	if r := stagetest.MustRun(t, tool(), setup, in, "-max-hosts", "1", "-new", segment); r.Stdout != want ||
		!r.Has("reason trap-hosts 2") {
		t.Errorf("kept %q, report:\n%s", r.Stdout, r.Report)
	}
	os.WriteFile(list, []byte(segment+"\n"), 0o666)
	in = "http://x2.trap.test/b" + via + "http://x3.trap.test/" + via
	if r := stagetest.MustRun(t, tool(), setup, in, "-max-hosts", "1", "-domains",
		list); r.Stdout != "http://x2.trap.test/b"+via {
		t.Errorf("in the next run: kept %q", r.Stdout)
	}
}

// TestHostsAreBoundedByDefault holds that nobody need ask for the bound.
func TestHostsAreBoundedByDefault(t *testing.T) {
	var in strings.Builder
	for i := range 1002 {
		fmt.Fprintf(&in, "http://x%d.trap.test/\tvia=http://x0.trap.test/\n", i)
	}
	if r := stagetest.MustRun(t, tool(), setup, in.String()); !r.Has("reason trap-hosts 2") {
		t.Errorf("report:\n%s", r.Report)
	}
	if r := stagetest.MustRun(t, tool(), setup, in.String(), "-max-hosts", "0"); r.Has("reason trap-hosts 2") {
		t.Errorf("without a bound:\n%s", r.Report)
	}
}

// TestManyHosts holds the bound over many runs against a plain count.
func TestManyHosts(t *testing.T) {
	c, taken := &webCrawl{dir: t.TempDir()}, map[string]map[string]bool{}
	for run := range 12 {
		var urls, want []string
		for i := range 200 {
			domain := fmt.Sprintf("d%d.test", (run*31+i)%40)
			host := fmt.Sprintf("h%d.%s", i*i%7, domain)
			urls = append(urls, "http://"+host+"/")
			if taken[domain] == nil {
				taken[domain] = map[string]bool{}
			}
			if len(taken[domain]) < 3 {
				taken[domain][host] = true
			}
			if taken[domain][host] {
				want = append(want, "http://"+host+"/")
			}
		}
		if kept := c.restrict(t, urls...); !slices.Equal(kept, want) {
			t.Fatalf("run %d: %d kept, want %d", run, len(kept), len(want))
		}
	}
	if len(c.paths) > 3 {
		t.Errorf("%d segments are left of 12", len(c.paths))
	}
}

// TestFormat holds that today's program reads and writes the state as version 1 has it.
func TestFormat(t *testing.T) {
	golden := filepath.Join("testdata", "v1", "domains.seg")
	path := filepath.Join(t.TempDir(), "domains.seg")
	d, err := openDomains("", nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, url := range []string{"http://a.example.org/", "https://b.example.org:8443/x", "http://c.example.org/",
		"http://192.0.2.1/"} {
		if _, err := d.admit([]byte(url), false); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.save(output.NewRun(io.Discard), path, report.New()); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(golden, written, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := os.ReadFile(golden); err != nil || !bytes.Equal(kept, written) {
		t.Errorf("the state is written otherwise than in %s (%v)", golden, err)
	}
	list := filepath.Join(t.TempDir(), "list")
	os.WriteFile(list, []byte(golden+"\n"), 0o666)
	if d, err = openDomains(list, nil, 2); err != nil {
		t.Fatal(err)
	}
	defer d.set.Close()
	for url, want := range map[string]bool{"http://a.example.org/y": true, "https://b.example.org:8443/": true,
		"http://c.example.org/": false, "http://192.0.2.1:1/": true} {
		if in, err := d.admit([]byte(url), false); in != want || err != nil {
			t.Errorf("admit(%s) = %v, %v; want %v", url, in, err, want)
		}
	}
}

func TestVerifyState(t *testing.T) {
	d, err := openDomains("", nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	d.count["b.test"] = hosted{7, true}
	d.fresh = append(d.fresh, 5)
	path := filepath.Join(t.TempDir(), "good")
	if err := d.save(output.NewRun(io.Discard), path, report.New()); err != nil {
		t.Fatal(err)
	}
	if r := stagetest.Run(t, tool(), setup, "", "-verify", path); r.Code != stage.ExitDone {
		t.Errorf("a whole segment: %s", r.Stderr)
	}
	for _, value := range []string{"\x02\x07a.test", "\x01\x80", "\x01\x07", "\x01"} {
		if _, err := checkEntry([]byte(value)); err == nil {
			t.Errorf("the entry %q is taken", value)
		}
	}
	if text, err := checkEntry([]byte("\x01\x07b.test")); text != "domain b.test" || err != nil {
		t.Errorf("an entry's key is that of %q, %v", text, err)
	}
}

func FuzzUnpackCount(f *testing.F) {
	f.Add(packCount(3, "example.org"))
	f.Add([]byte{countVersion, 0x80})
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		n, domain, err := unpackCount(b)
		if err != nil {
			return
		}
		if again, name, err := unpackCount(packCount(n, domain)); again != n || name != domain || err != nil {
			t.Errorf("%q comes back as %d %q, %v", b, again, name, err)
		}
	})
}

// TestMemory holds what the package comment says of memory: every URL has a host and a domain of
// its own.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const hosts = 400_000
	stagetest.Peak(t, hosts*600, func(dir string) {
		var in strings.Builder
		for i := range hosts {
			fmt.Fprintf(&in, "http://www.domain-%d.example/\tvia=http://page.test/\n", i)
		}
		if err := os.WriteFile(filepath.Join(dir, "urls"), []byte(in.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}, func(dir string) {
		stagetest.MustRun(t, tool(), setup, "", "-new", filepath.Join(dir, "segment"), "-kept",
			filepath.Join(dir, "kept.zst"), filepath.Join(dir, "urls"))
	})
}
