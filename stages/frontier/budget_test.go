package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/testkit/stagetest"
)

func TestBudgetFlag(t *testing.T) {
	var b budgets
	for _, s := range []string{"host=1000", "domain=0,2GB"} {
		if err := b.set(s); err != nil {
			t.Error(err)
		}
	}
	if want := (budgets{waiting.Budget{Pages: 1000}, waiting.Budget{Bytes: 2e9}}); b != want {
		t.Errorf("got %+v, want %+v", b, want)
	}
	for _, s := range []string{"", "host", "host=", "host=-1", "host=1.5", "host=1,2", "host=1,", "host=0", "host=0,0",
		"site=1", "=1", "host=9007199254740993"} {
		if err := new(budgets).set(s); err == nil {
			t.Errorf("-budget %q is taken", s)
		}
	}
	if err := b.set("host=1"); err == nil {
		t.Error("two budgets for each host are taken")
	}
}

// TestBudget: what is over a budget goes to -over, whether it is new or waits, and is counted; after the
// budget is raised it waits again.
func TestBudget(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	var segments []string
	run := func(n int, args ...string) stagetest.Result {
		name := func(what string) string { return file(fmt.Sprint(what, "-", n, ".txt")) }
		r := stagetest.MustRun(t, tool(), setup, "",
			append([]string{"-waiting", stagetest.Write(t, "list", segments...),
				"-new", name("new"), "-wake", name("wake"), "-out", name("out"), "-over", name("over")}, args...)...)
		segments = append(segments[:len(segments)-strings.Count(r.Report, "\nreplaces ")], name("new"))
		return r
	}
	var urls []string
	for i := range 100 {
		urls = append(urls, fmt.Sprint("http://a.test/", i, "\tdepth=1"))
	}
	r := run(1, "-budget", "host=10", stagetest.Write(t, "fresh", urls...))
	r.Wants(t, "reason waits 100", "gauge waiting 96")
	r = run(2, "-budget", "host=10", stagetest.Write(t, "fresh", "http://a.test/new\tdepth=2", "http://b.test/"),
		stagetest.Write(t, "visits", "http://a.test/\tasked=10\tanswered=10\tbytes=100"))
	r.Wants(t, "reason waits 2") // visits come behind it
	if !r.Has("count waited-over-budget 97") || !strings.Contains(r.Report, "made "+file("over-2.txt")+" 97 ") {
		t.Errorf("the second run:\n%s", r.Report)
	}
	over := stagetest.Lines(t, file("over-2.txt"))
	if !slices.Contains(over, "http://a.test/new\tdepth=2\treason=over-budget") || len(over) != 97 {
		t.Errorf("%d URLs are over the budget: %q", len(over), over)
	}
	r = run(3, "-budget", "host=10", stagetest.Write(t, "fresh", "http://a.test/newer", "http://b.test/2"))
	r.Wants(t, "reason over-budget 1", "reason waits 1")
	got := stagetest.Lines(t, file("over-3.txt"))
	if !slices.Equal(got, []string{"http://a.test/newer\treason=over-budget"}) {
		t.Errorf("new URLs over the budget: %q", got)
	}
	list := stagetest.Write(t, "list", segments...)
	said := stagetest.Run(t, tool(), setup, "", "-waiting", list, "-explain", "-budget", "host=10", "-budget",
		"domain=20,1KB", "http://a.test/new")
	for _, want := range []string{"waits:  no", "budget: of the host, 10 of 10 pages\n  budget: it is spent",
		"budget: of the domain, 0 of 20 pages, 0 of 1000 bytes\n"} {
		if !strings.Contains(said.Stdout, want) {
			t.Errorf("want %q in\n%s%s", want, said.Stdout, said.Stderr)
		}
	}
	r = run(4, "-budget", "host=1000", file("over-2.txt"))
	r.Wants(t, "reason waits 97")
	if out := stagetest.Lines(t, file("out-4.txt")); len(out) == 0 ||
		strings.Contains(strings.Join(out, ""), "reason") {
		t.Errorf("after the budget is raised, handed out: %q", out)
	}
	if r.Code != stage.ExitDone {
		t.Error(r.Stderr)
	}
}
