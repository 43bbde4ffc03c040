package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// modeLines are links to all three nodes, one of them twice.
var modeLines = []string{"http://b.example/1\tdepth=2\towner=x", "http://a.example/1", "http://c.example/",
	"http://b.example/1", "bad line", "http://b.example/2"}

// TestLinksDrop holds a firewall: each link of another ends, and is counted, as often as it comes.
func TestLinksDrop(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy",
		flags: []string{"-others", "drop"}}
	for range 2 {
		r, mine, theirs := c.run(t, true, modeLines...)
		if !slices.Equal(mine, []string{"http://a.example/1"}) || len(theirs) != 0 || len(c.segments) != 0 {
			t.Errorf("mine: %q, theirs: %q, %d segments", mine, theirs, len(c.segments))
		}
		r.Wants(t, "in 6", "reason others 4", "reason bad-line 1")
		if strings.Contains(r.Report, "to-") {
			t.Errorf("it reports links that are sent:\n%s", r.Report)
		}
	}
}

// TestLinksAside holds cross-over: links of others go to one output, in the order in which they
// come, each once for all runs.
func TestLinksAside(t *testing.T) {
	aside := filepath.Join(t.TempDir(), "aside.zst")
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy",
		flags: []string{"-others", "aside", "-aside", aside}}
	r, mine, theirs := c.run(t, true, modeLines...)
	want := []string{"http://b.example/1\tdepth=2", "http://c.example/", "http://b.example/2"}
	if got := stagetest.Lines(t, aside); !slices.Equal(got, want) || len(theirs) != 0 ||
		!slices.Equal(mine, []string{"http://a.example/1"}) {
		t.Errorf("mine: %q, theirs: %q, aside: %q", mine, theirs, got)
	}
	r.Wants(t, "in 6", "reason sent-before 1", "reason bad-line 1")
	if strings.Contains(r.Report, "to-") {
		t.Errorf("it reports links that are sent:\n%s", r.Report)
	}
	os.Remove(aside)
	c.run(t, true, modeLines[:4]...)
	if got := stagetest.Lines(t, aside); len(got) != 0 {
		t.Errorf("set aside again: %q", got)
	}

	followed := filepath.Join(t.TempDir(), "mine.zst")
	r = runLinks(t, strings.Join(want, "\n"), "-nodes", c.nodes, "-node", "arts", "-by", "none", "-mine", followed)
	if got := stagetest.Lines(t, followed); r.Code != stage.ExitDone || !slices.Equal(got, want) {
		t.Errorf("followed: %q; exit %d: %s", got, r.Code, r.Stderr)
	}
}

// TestLinksAsideParts holds how many links of others are followed at once.
func TestLinksAsideParts(t *testing.T) {
	var lines []string
	for i := range 2500 {
		lines = append(lines, fmt.Sprintf("http://b.example/%d", i))
	}
	dir := t.TempDir()
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy",
		flags: []string{"-others", "aside", "-aside", filepath.Join(dir, "m-000000000001-00001.zst")}}
	c.run(t, true, lines...)
	var got []string
	for part, n := range []int{1000, 1000, 500} {
		links := stagetest.Lines(t, filepath.Join(dir, fmt.Sprintf("m-000000000001-%05d.zst", part+1)))
		if got = append(got, links...); len(links) != n {
			t.Errorf("part %d has %d links, want %d", part+1, len(links), n)
		}
	}
	if !slices.Equal(got, lines) {
		t.Errorf("%d links were set aside of %d, or in another order", len(got), len(lines))
	}
}

// TestLinksLater holds exchange in batches: what is set aside by one stage another sends, once.
func TestLinksLater(t *testing.T) {
	later := filepath.Join(t.TempDir(), "later.zst")
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy",
		flags: []string{"-others", "later", "-later", later}}
	var lines []string
	for i := range 1100 { // more than a part of -aside has
		lines = append(lines, fmt.Sprintf("http://b.example/%d", i))
	}
	if _, mine, theirs := c.run(t, true, append(lines, lines...)...); len(mine)+len(theirs) != 0 {
		t.Errorf("mine: %q, theirs: %q", mine, theirs)
	}
	held := stagetest.Lines(t, later)
	if !slices.Equal(held, lines) {
		t.Errorf("%d links wait, want %d", len(held), len(lines))
	}
	c.flags, c.segments = nil, nil
	if _, mine, theirs := c.run(t, true, held...); len(mine) != 0 || !slices.Equal(theirs["business"], lines) {
		t.Errorf("mine: %q, %d were sent", mine, len(theirs["business"]))
	}
}

// TestLinksLaterByOwner holds that the stage which sends links later knows whose they are.
func TestLinksLaterByOwner(t *testing.T) {
	later := filepath.Join(t.TempDir(), "later.zst")
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "owner",
		flags: []string{"-others", "later", "-later", later}}
	_, mine, _ := c.run(t, true, "http://b.example/1\towner=world\tdepth=1", "http://b.example/2\towner=arts")
	if !slices.Equal(mine, []string{"http://b.example/2"}) {
		t.Errorf("mine: %q", mine)
	}
	c.flags, c.segments = nil, nil
	_, mine, theirs := c.run(t, true, stagetest.Lines(t, later)...)
	if len(mine) != 0 || !slices.Equal(theirs["world"], []string{"http://b.example/1\tdepth=1"}) {
		t.Errorf("mine: %q, theirs: %q", mine, theirs)
	}
}

// TestLinksSum holds the sums: of each URL and origin one record, which stands for all.
func TestLinksSum(t *testing.T) {
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy", flags: []string{"-sum"}}
	lines := []string{
		"http://www.b.example/1\tvia=http://a.example/1\tscore=0.2\tdepth=1",
		"http://www.b.example/1\tvia=http://a.example/2\tscore=0.9\tdepth=7",
		"http://www.b.example/1\tvia=http://b.example/", // the same domain
		"http://a.example/1\tvia=http://a.example/2",
		"http://a.example/1\tvia=http://a.example/3",
		"http://www.b.example/1\tvia=http://c.example/\tscore=0.1\tinlinks=3",
		"http://www.b.example/1", // a seed
		"http://www.b.example/1\tvia=http://www.b.example/1",
		"http://www.b.example/2\tvia=http://a.example/1\tinlinks=1048575",
		"http://www.b.example/2\tvia=http://a.example/2",
		"http://www.b.example/2\tvia=http://a.example/3\tinlinks=2",
		"http://c.example/\tvia=http://a.example/\tinlinks=0",
	}
	for range 2 { // nothing is remembered
		r, mine, theirs := c.run(t, true, lines...)
		want := []string{"http://www.b.example/1\tvia=http://a.example/2\tscore=0.9\tdepth=7\tinlinks=5",
			"http://www.b.example/1\tvia=http://b.example/", "http://www.b.example/1\tinlinks=2",
			"http://www.b.example/2\tvia=http://a.example/1\tinlinks=1048576",
			"http://www.b.example/2\tvia=http://a.example/3\tinlinks=2"}
		slices.Sort(want)
		if got := slices.Sorted(slices.Values(theirs["business"])); !slices.Equal(got, want) {
			t.Errorf("business got\n%q, want\n%q", got, want)
		}
		if len(mine) != 2 || !slices.Equal(theirs["world"], lines[11:]) || len(c.segments) != 0 {
			t.Errorf("mine: %q, world got %q; %d segments", mine, theirs["world"], len(c.segments))
		}
		r.Wants(t, "in 12", "reason summed 4", "count to-business 5", "count to-world 1")
	}
}

// TestLinksSumLater holds that sums of sums are right, over the bound of what is summed up at once.
func TestLinksSumLater(t *testing.T) {
	const urls, links = 50, 140_000
	later := filepath.Join(t.TempDir(), "later.zst")
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy",
		flags: []string{"-sum", "-others", "later", "-later", later}}
	var lines []string
	for i := range links {
		lines = append(lines, fmt.Sprintf("http://b.example/%d\tvia=http://a.example/%d", i%urls, i))
	}
	c.run(t, true, lines...)
	held := stagetest.Lines(t, later)
	if len(held) != 2*urls {
		t.Errorf("%d records wait, want %d: two portions of links, one record for each URL", len(held), 2*urls)
	}
	c.flags = []string{"-sum"}
	_, _, theirs := c.run(t, true, held...)
	for _, line := range theirs["business"] {
		if !strings.HasSuffix(line, fmt.Sprint("\tinlinks=", links/urls)) {
			t.Errorf("sent %q, want inlinks=%d", line, links/urls)
		}
	}
	if len(theirs["business"]) != urls {
		t.Errorf("%d records were sent, want %d", len(theirs["business"]), urls)
	}
}

// FuzzLinksSum holds that no link is lost or counted twice, whatever attributes say: for each URL,
// what leaves stands for as many links as what came in.
func FuzzLinksSum(f *testing.F) {
	f.Add("http://b.example/\tinlinks=7\nhttp://b.example/\tinlinks=9\tinlinks=2\nhttp://b.example/\tvia=x")
	f.Add("http://b.example/\tinlinks=1048576\nhttp://b.example/\tinlinks=99999999\nhttp://b.example/\tinlinks=-1")
	f.Add("http://b.example/\tscore=1\tinlinks=%31\nhttp://b.example/\tscore=2e0\nhttp://b.example/\tinlinks=\n#")
	file := nodesFile(f, threeNodes)
	f.Fuzz(func(t *testing.T, in string) {
		links := func(flags ...string) map[string]int64 {
			dir := t.TempDir()
			mine := filepath.Join(dir, "mine.zst")
			r := runLinks(t, in, append([]string{"-nodes", file, "-node", "arts", "-mine", mine, "-outgoing",
				filepath.Join(dir, "m")}, flags...)...)
			if r.Code != stage.ExitDone {
				t.Fatalf("exit %d: %s", r.Code, r.Stderr)
			}
			n := map[string]int64{}
			for _, line := range slices.Concat(append(slices.Collect(maps.Values(sent(t, dir))),
				stagetest.Lines(t, mine))...) {
				rec, err := urlbatch.Parse([]byte(line))
				if err != nil {
					t.Fatalf("it wrote %q: %v", line, err)
				}
				n[rec.URL()] += rec.Times()
			}
			return n
		}
		if got, want := links("-by", "url", "-sum"), links("-by", "none"); !maps.Equal(got, want) {
			t.Errorf("%v links leave, %v came in", got, want)
		}
	})
}

// TestLinksReplicated holds that what all crawlers know is not sent, in any spelling of the list, and
// that the owner keeps it.
func TestLinksReplicated(t *testing.T) {
	list := write(t, "popular.txt", "# the most linked\nHTTP://b.example:80/1\nhttp://a.example/1\n")
	flags := []string{"-replicated", list}
	c := &crawler{dir: t.TempDir(), nodes: nodesFile(t, threeNodes), by: "hierarchy", flags: flags}
	r, mine, theirs := c.run(t, true, modeLines...)
	if !slices.Equal(mine, []string{"http://a.example/1"}) ||
		!slices.Equal(theirs["business"], []string{"http://b.example/2"}) || len(theirs["world"]) != 1 {
		t.Errorf("mine: %q, theirs: %q", mine, theirs)
	}
	r.Wants(t, "in 6", "reason replicated 2", "count to-business 1", "count to-world 1")

	for mode, want := range map[string]string{"drop": "reason others 4", "aside": "reason sent-before 1",
		"later": "reason replicated 2"} {
		file := filepath.Join(t.TempDir(), "others")
		c.flags, c.segments = append(flags, "-others", mode, "-aside", file, "-later", file), nil
		r, _, _ = c.run(t, true, modeLines...)
		if !r.Has(want) || strings.Contains(r.Report, "replicated") != (mode == "later") {
			t.Errorf("-others %s: replicated URLs are for exchange alone; report:\n%s", mode, r.Report)
		}
	}

	os.WriteFile(list, []byte("http://b.example/1\nno URL\n"), 0o666)
	usual := []string{"-nodes", c.nodes, "-node", "arts", "-by", "url", "-outgoing", filepath.Join(t.TempDir(), "m")}
	r = runLinks(t, "", append(usual, flags...)...)
	if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, list) || !strings.Contains(r.Stderr, "no%20URL") {
		t.Errorf("exit %d: %s", r.Code, r.Stderr)
	}
	r = runLinks(t, "", append(usual, "-replicated", "nowhere")...)
	if r.Code != stage.ExitUsage || !strings.Contains(r.Stderr, "nowhere") {
		t.Errorf("exit %d: %s", r.Code, r.Stderr)
	}
}
