package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/frontier/keeper"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

// TestRank: pending pages that have risen are written, once; links that are known already change
// nothing.
func TestRank(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	list, segments, runs := file("list"), []string{}, 0
	rank := func(lines ...string) (stagetest.Result, []string) {
		runs++
		segment, ranked := file(fmt.Sprint("graph-", runs)), file(fmt.Sprint("ranked-", runs, ".zst"))
		r := stagetest.MustRun(t, tool(), setup, "", "-graph", list, "-new", segment, "-ranked", ranked,
			stagetest.Write(t, "in.zst", lines...))
		segments = append(segments[:len(segments)-strings.Count(r.Report, "\nreplaces ")], segment)
		if err := os.WriteFile(list, []byte(strings.Join(segments, "\n")), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(ranked); err != nil {
			return r, nil
		}
		return r, stagetest.Lines(t, ranked)
	}

	links := []string{"http://a.test/", "http://a.test/1\tdepth=1\tvia=http://a.test/",
		"http://a.test/2\tvia=http://a.test/",
		"http://a.test/3\tvia=http://a.test/", "http://b.test/\tvia=http://a.test/1"}
	r, got := rank(links...)
	// 0.15 + 0.85·0.15/3 = 0.1925, which is 1.43 quarters of a doubling of 0.15; and 0.15 +
	// 0.85·0.1925 = 0.3136, which is 4.26. Page 1 was fetched, for it has a link.
	want := []string{"http://a.test/2\tknown=1\tscore=0.015873017", "http://a.test/3\tknown=1\tscore=0.015873017",
		"http://b.test/\tknown=1\tscore=0.06349207"}
	if !slices.Equal(got, want) {
		t.Errorf("ranked: %q, want %q", got, want)
	}
	r.Wants(t, "in 5", "reason linked 5", "gauge pages 5", "gauge links 4")

	r, got = rank(links...)
	if r.Wants(t, "reason linked 5", "gauge links 4"); got != nil || strings.Contains(r.Report, "passes") {
		t.Errorf("without a new link: %q, %s", got, r.Report)
	}
	// 0.15 + 0.85·(0.1925 + 0.1925) = 0.4772, which is 6.68
	_, got = rank("http://b.test/\tvia=http://a.test/2")
	if want = []string{"http://b.test/\tknown=1\tscore=0.0952381"}; !slices.Equal(got, want) {
		t.Errorf("with another link: %q, want %q", got, want)
	}
	r = stagetest.MustRun(t, tool(), setup, "", "-graph", list, "-show")
	const shown = "0.15\tfetched\thttp://a.test/\n0.1925\tfetched\thttp://a.test/1\n"
	if !strings.HasPrefix(r.Stdout, shown) ||
		!strings.HasSuffix(r.Stdout, "\n0.47725\tpending\thttp://b.test/\n") {
		t.Errorf("-show: %s, want %s", r.Stdout, shown)
	}
	r = stagetest.Run(t, tool(), setup, "", append([]string{"-verify"}, segments...)...)
	if r.Code != stage.ExitDone {
		t.Errorf("-verify: exit %d, %s", r.Code, r.Stderr)
	}
}

// TestParts: what has risen is cut into batches that a frontier can take one by one.
func TestParts(t *testing.T) {
	var lines []string
	for i := range keeper.Most + 1 {
		lines = append(lines, fmt.Sprintf("http://a.test/%d\tvia=http://a.test/from%d", i, i))
	}
	ranked := filepath.Join(t.TempDir(), "ranked.zst")
	stagetest.MustRun(t, tool(), setup, "", "-ranked", ranked, stagetest.Write(t, "in.zst", lines...))
	second := strings.Replace(ranked, ".zst", "-00002.zst", 1)
	if a, b := stagetest.Lines(t, ranked), stagetest.Lines(t, second); len(a) != keeper.Most || len(b) != 1 {
		t.Errorf("batches of %d and %d records, want %d and 1", len(a), len(b), keeper.Most)
	}
}

// TestTwin has a link to a URL that has the XXH64 of another, which would else be taken for it.
func TestTwin(t *testing.T) {
	const victim = "http://a.test/victim"
	twin := stagetest.Twin(t, "http://a.test/evil/", victim)
	pages := func(n int) {
		t.Helper()
		r := stagetest.MustRun(t, tool(), setup, victim+"\n"+twin+"\nbad line\n")
		r.Wants(t, fmt.Sprint("gauge pages ", n), "in 3", "reason linked 2", "reason bad-line 1")
	}
	pages(1)
	stagetest.Secret(t)
	pages(2)
}

// TestMemory holds what -h says of memory, for more links than fit into it, each from another page
// to another, and on a graph that has been there before.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	const batches, links = 40, 10_000
	stagetest.PeakAnon(t, 128<<20, func(dir string) {
		rnd := rand.New(rand.NewPCG(1, 2))
		for b := range batches {
			var lines []string
			for range links {
				lines = append(lines, fmt.Sprintf("http://www.host%d.test/%x\tvia=http://www.host%d.test/%x",
					rnd.IntN(99999), rnd.Uint64(), rnd.IntN(99999), rnd.Uint64()))
			}
			os.Rename(stagetest.Write(t, "in.zst", lines...), filepath.Join(dir, fmt.Sprintf("in-%d.zst", b)))
		}
	}, func(dir string) {
		inputs, _ := filepath.Glob(filepath.Join(dir, "in-*"))
		args := []string{"-new", filepath.Join(dir, "new"), "-ranked", filepath.Join(dir, "ranked.zst")}
		r := stagetest.MustRun(t, tool(), setup, "", append(args, inputs...)...)
		r.Wants(t, fmt.Sprint("gauge links ", batches*links), fmt.Sprint("gauge pages ", 2*batches*links))
	})
}
