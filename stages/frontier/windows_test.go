package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// A crawl is what a run of the stage left.
type crawl struct{ list, segment string }

// newCrawl takes in batches and hands one out.
func newCrawl(t *testing.T, urls, visits []string, args ...string) crawl {
	t.Helper()
	dir := t.TempDir()
	c := crawl{list: filepath.Join(dir, "list"), segment: filepath.Join(dir, "segment")}
	args = append(args, "-waiting", c.list, "-new", c.segment, "-wake", filepath.Join(dir, "wake"), "-out",
		filepath.Join(dir, "out"), stagetest.Write(t, "fresh", urls...), stagetest.Write(t, "visits", visits...))
	stagetest.MustRun(t, tool(), setup, "", args...)
	if err := os.WriteFile(c.list, []byte(c.segment), 0o666); err != nil {
		t.Fatal(err)
	}
	return c
}

// look has a window print, and replaces the times.
func (c *crawl) look(t *testing.T, args ...string) string {
	t.Helper()
	r := stagetest.Run(t, tool(), setup, "", append([]string{"-waiting", c.list}, args...)...)
	if r.Code != stage.ExitDone || r.Report != "" || r.Stderr != "" {
		t.Fatalf("%q: exit %d: %s%s", args, r.Code, r.Stderr, r.Report)
	}
	return regexp.MustCompile(`\bin (\d+h)?(\d+m)?\d+s \(\d{4}-\d\d-\d\dT[0-9:]+Z\)`).ReplaceAllString(r.Stdout, "TIME")
}

func sample(t *testing.T) crawl {
	var urls []string
	for i := range 1000 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d\tdepth=3\tvia=http://a.test/%%1b[2J", i))
	}
	urls = append(urls, "http://a.test/first\tdepth=1", "http://a.test/failed\tdepth=3\ttries=2",
		"http://a.test/cut\tdepth=70\tcut=1", "http://b.test/\tdepth=0", "http://b.test/2\tdepth=2",
		"http://c.test/1", "http://c.test/2", "http://c.test/3", "http://c.test/4", "http://c.test/5")
	return newCrawl(t, urls, []string{
		"http://a.test/\tasked=5\tanswered=5\ttook=250\tpause=20000\taddress=192.0.2.1",
		"http://b.test/\tasked=1\tfailed=1\tunreached=head-timeout\taddress=192.0.2.2",
		"http://known.test/\tasked=1\tanswered=1\ttook=250\tpause=1000",
	})
}

// TestExplain: why is this URL not fetched yet, and when will it be? One command answers, in files.
func TestExplain(t *testing.T) {
	c := sample(t)
	const a = "  host:   1002 URLs wait, 5 requests so far, 20s between two requests and 250ms for an answer, as " +
		"fetch saw them last; at 192.0.2.1\n"
	const full = "  later:  where a batch is full (-urls 4000) by better bands of other hosts, or by others at " +
		"its address (-address-delay 100ms)\n  sooner: it is handed out before its turn, by at most 3m0s (3 × -for)\n"
	const doubtful = "  later:  what failed before goes into long batches, or where nothing else is due\n"
	for _, tt := range []struct{ args, want string }{
		{"http://A.test:80/x/../500", "http://a.test/500\n" +
			"  waits:  in band 3 of 0 to 255: no try failed; class 3 of 0 to 63 in the order breadth (depth=3)\n" +
			"  found:  on http://a.test/%1B[2J\n" +
			"  before: 500 URLs of a.test: 0 in better bands, 500 in its own\n" +
			"  turn:   TIME: the next turn of its host is TIME, then come 500 × 20.25s; what comes in before it " +
			"adds to that\n" + a + full},
		{"http://a.test/failed", "http://a.test/failed\n" +
			"  waits:  in band 131 of 0 to 255: tries that failed: 2; class 3 of 0 to 63 in the order breadth " +
			"(depth=3)\n" +
			"  found:  on no page: it has no via=, as a seed\n" +
			"  before: 1001 URLs of a.test: 1001 in better bands, 0 in its own\n" +
			"  turn:   TIME: the next turn of its host is TIME, then come 1001 × 20.25s; what comes in before it " +
			"adds to that\n" + a + doubtful + full},
		{"-order depth http://a.test/cut", "http://a.test/cut\n" +
			"  waits:  in band 127 of 0 to 255: it kept a run of fetch waiting (cut=1); class 63 of 0 to 63 in " +
			"the order depth (depth=70)\n" +
			"  order:  its record alone would put it into band 64 now\n" +
			"  found:  on no page: it has no via=, as a seed\n" +
			"  before: 1000 URLs of a.test: 1000 in better bands, 0 in its own\n" +
			"  turn:   TIME: the next turn of its host is TIME, then come 1000 × 20.25s; what comes in before it " +
			"adds to that\n" + a + doubtful + full},
		{"http://a.test/first http://d.test/ http://a.test/first", "http://a.test/first\n" +
			"  waits:  no; trace -crawl DIR URL tells what became of it\n" + a +
			"\nhttp://d.test/\n  waits:  no; trace -crawl DIR URL tells what became of it\n" +
			"  host:   nothing is known of d.test\n" +
			"\nhttp://a.test/first\n  waits:  no; trace -crawl DIR URL tells what became of it\n" + a},
		{"-order score -delay 2s -urls 7 http://b.test/2", "http://b.test/2\n" +
			"  waits:  in band 2 of 0 to 255: no try failed; class 2 of 0 to 63 in the order score (no score=)\n" +
			"  order:  its record alone would put it into band 63 now\n" +
			"  links:  0 from fetched pages, 0 of them of other sites; cash 0; greatest score 0\n" +
			"  found:  on no page: it has no via=, as a seed\n" +
			"  before: 1 URLs of b.test: 1 in better bands, 0 in its own\n" +
			"  turn:   TIME: the next turn of its host is TIME, then come 1 × 2s; what comes in before it adds to " +
			"that\n" +
			"  host:   2 URLs wait, 1 requests so far, a pace that is not known; -delay 2s is expected; at " +
			"192.0.2.2\n" +
			"  held:   it is left alone; it may be asked again TIME\n" +
			"  silent: runs of fetch without an answer, one after the other: 1; each time it is left alone for " +
			"twice as long, at most 1h\n" +
			"  later:  where a batch has one URL of it: it did not answer last\n" + doubtful +
			strings.Replace(full, "4000", "7", 1)},
	} {
		if got := c.look(t, append([]string{"-explain"}, strings.Fields(tt.args)...)...); got != tt.want {
			t.Errorf("%s\nwant\n%s", got, tt.want)
		}
	}
	if got := c.look(t, "-explain", "http://c.test/5"); !strings.Contains(got,
		"  later:  where a batch has few URLs of it: it was never asked\n") {
		t.Errorf("%s", got)
	}
}

// TestExplainBack: a URL that a run gave back without a try goes before those that came in with it.
func TestExplainBack(t *testing.T) {
	urls := []string{"http://a.test/first\tdepth=1"}
	for i := range 100 {
		urls = append(urls, fmt.Sprintf("http://a.test/%d\tdepth=3", i))
	}
	c := newCrawl(t, append(urls, "http://a.test/back\tdepth=3\tback=1", "http://a.test/better\tdepth=2"),
		[]string{"http://a.test/\tasked=5\tanswered=5\ttook=250\tpause=20000"}, "-urls", "1")
	for url, want := range map[string]string{"back": "0 URLs of a.test: 0 in better bands, 0 in its own\n",
		"better": "1 URLs of a.test: 0 in better bands, 1 in its own\n",
		"0":      "2 URLs of a.test: 2 in better bands, 0 in its own\n"} {
		if got := c.look(t, "-explain", "http://a.test/"+url); !strings.Contains(got, "  before: "+want) ||
			strings.Contains(got, "(depth=3), a class better than that: a run gave it back") != (url == "back") {
			t.Errorf("want %q of\n%s", want, got)
		}
	}
}

// TestExplainLinks: where the order goes by links, they are told.
func TestExplainLinks(t *testing.T) {
	c := newCrawl(t, []string{"http://b.test/1\tvia=http://a.test/", "http://b.test/2\tvia=http://a.test/",
		"http://b.test/2\tvia=http://b.test/\tknown=1", "http://never.test/\tvia=http://b.test/\tknown=1"},
		[]string{"http://b.test/\tasked=1\tfailed=1\tunreached=head-timeout"}, "-order", "backlink")
	got := c.look(t, "-explain", "-order", "backlink", "http://b.test/1", "http://b.test/2")
	for _, want := range []string{
		"  links:  1 from fetched pages, 1 of them of other sites; cash 0; greatest score 0\n",
		"  links:  2 from fetched pages, 1 of them of other sites; cash 0; greatest score 0\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	if got := c.look(t, "-check") + c.look(t, "-hosts"); !strings.HasPrefix(got, "2 URLs wait, of 1 hosts; 0 more ") {
		t.Errorf("-check and -hosts: %s", got)
	}
}

func TestHosts(t *testing.T) {
	c := sample(t)
	got := regexp.MustCompile(` +`).ReplaceAllString(c.look(t, "-hosts", "-top", "1"), " ")
	got = strings.ReplaceAll(got, " \n", "\n")
	const head = "host URLs a URL takes next through silent runs\n"
	want := "1005 URLs wait, of 3 hosts; 1 more hosts are known\n" +
		"\nURLs of a host hosts URLs\n1 to 1 1 1\n2 to 3 1 2\n512 to 1023 1 1002\n" +
		"\nthe longest queues\n" + head + "a.test 1002 20.25s TIME TIME 0\n" +
		"\nthe last to be through\n" + head + "a.test 1002 20.25s TIME TIME 0\n" +
		"\nheld, with URLs that wait\n" + head + "b.test 2 1s TIME TIME 1\n" +
		"\nsilent, with URLs that wait\n" + head + "b.test 2 1s TIME TIME 1\n"
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := c.look(t, "-hosts", "-top", "5"); strings.Index(got, "a.test") > strings.Index(got, "b.test") ||
		strings.Count(got, "\nb.test ") != 4 {
		t.Errorf("-top 5: %s", got)
	}
	empty := filepath.Join(t.TempDir(), "list")
	if err := os.WriteFile(empty, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := (&crawl{list: empty}).look(t, "-hosts"); got != "0 URLs wait, of 0 hosts; 0 more hosts are known\n" {
		t.Errorf("an empty state: %s", got)
	}
}

// TestCheck: a whole state passes; one without a segment, and one of which a byte was flipped, do not.
func TestCheck(t *testing.T) {
	c := sample(t)
	if got := c.look(t, "-check"); got != "" {
		t.Errorf("-check prints %q", got)
	}
	data, err := os.ReadFile(c.segment)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(c.segment, data, 0o666); err != nil {
		t.Fatal(err)
	}
	r := stagetest.Run(t, tool(), setup, "", "-check", "-waiting", c.list)
	if r.Code != stage.ExitFailed ||
		!strings.Contains(r.Stderr, "the state "+c.list+" is not whole; faults: 1\ndamaged ") {
		t.Errorf("exit %d: %s", r.Code, r.Stderr)
	}
}

func TestWindowsRefuse(t *testing.T) {
	c := sample(t)
	for _, args := range []string{"-hosts", "-waiting L -explain", "-waiting L -hosts URL", "-waiting L -hosts -check",
		"-waiting L -explain -check http://a.test/", "-waiting L -hosts -top 0", "-waiting L -explain http://[/",
		"-waiting L -hosts -order none"} {
		r := stagetest.Run(t, tool(), setup, "", strings.Fields(strings.ReplaceAll(args, "L", c.list))...)
		if r.Code != stage.ExitUsage {
			t.Errorf("%s: exit %d, want %d: %s", args, r.Code, stage.ExitUsage, r.Stderr)
		}
	}
	r := stagetest.Run(t, tool(), setup, "", "-hosts", "-waiting", c.list+"x")
	if r.Code != stage.ExitFailed {
		t.Errorf("a list that is not there: exit %d: %s", r.Code, r.Stderr)
	}
}
