package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/web"
)

// quick is a lab with the parameters of the file, made small.
func quick(t *testing.T) *lab {
	t.Helper()
	l := &lab{}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	l.Batches, l.PerHost, l.Crawlers = []int{1, 100}, []int{1, 20}, []int{1, 4}
	l.Draws, l.Prices = 2, 1
	return l
}

// advising is a small lab with the program advise.
func advising(t *testing.T) *lab {
	t.Helper()
	l := quick(t)
	l.build(t, "stages/advise")
	return l
}

// build makes programs for the lab.
func (l *lab) build(t *testing.T, programs ...string) {
	t.Helper()
	l.bin = t.TempDir()
	args := []string{"build", "-o", l.bin + "/"}
	for _, program := range programs {
		args = append(args, "multitext/"+program)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("build %v: %v\n%s", programs, err, out)
	}
}

// hubs is a Web of pages with ten links each, of which two lead to a twentieth of the pages, and the
// others to any, on four hosts. No link leads to one page more.
func hubs(l *lab, name string, pages int) *named {
	random, w := rand.New(rand.NewPCG(3, 4)), &web.Web{}
	for i := range pages {
		p := web.Page{Host: fmt.Sprintf("h%d.test", i%4), Status: 200}
		for k := range 10 {
			to := random.IntN(pages)
			if k < 2 {
				to = random.IntN(pages/20) * 20
			}
			if to != i && !slices.Contains(p.Links, to) {
				p.Links = append(p.Links, to)
			}
		}
		w.Pages = append(w.Pages, p)
	}
	w.Pages = append(w.Pages, web.Page{Host: "a.test", Status: 200})
	return l.named(name, w, true)
}

// write makes an experiment, and returns the folder with what it wrote.
func write(t *testing.T, l *lab, name string) string {
	t.Helper()
	all := l.experiments()
	i := slices.IndexFunc(all, func(e results.Experiment) bool { return e.Name == name })
	return resultstest.Write(t, all[i].Run)
}

// TestFound: hubs are found first by those that count links, and later by chance; the oracles are first.
func TestFound(t *testing.T) {
	l := advising(t)
	l.webs = []*named{hubs(l, "hubs", 1000)}
	dir := write(t, l, "found")
	found := resultstest.Read(t, dir, "found-hubs")
	for _, measure := range []string{inDegree, pageRank} {
		at := func(order string) float64 { return found.Number("at 25 %", measure, "5", order) }
		if at("backlink") < 90 || at(oracle(measure)) < 99 || at("random") > 75 {
			t.Errorf("%s: found at 25 %%: backlink %.1f, oracle %.1f, random %.1f", measure, at("backlink"),
				at(oracle(measure)), at("random"))
		}
	}
	if reached := found.Number("reached %", inDegree, "5", "random"); reached < 99 || reached == 100 {
		t.Errorf("%.1f %% are reached; one page of 1001 is not", reached)
	}
}

// TestPrices: large batches cost, and so do hosts that give one page at a time and crawlers that know
// less; there is a row for each order and a column for each trial.
func TestPrices(t *testing.T) {
	l := advising(t)
	l.webs = []*named{hubs(l, "hubs", 1000)}
	for _, test := range []struct {
		of          *price
		cheap, dear string
	}{
		{l.ofBatches(), "1", "100"}, {l.ofBatches(), "1, exact", "100, exact"}, {l.ofHosts(), "any", "1"},
		{l.ofCrawlers(), "1", "4"},
	} {
		s := resultstest.Read(t, write(t, l, test.of.name), test.of.name+"-hubs")
		cheap, dear := s.Number(test.cheap, "backlink"), s.Number(test.dear, "backlink")
		if test.of.name == "hosts" { // batches of four know more than those of a thousand
			cheap, dear = dear, cheap
		}
		if cheap >= dear || len(s.Rows) != len(priced()) || len(s.Columns) != 1+len(test.of.trials) {
			t.Errorf("%s: %.1f %%, dear %.1f %%; %d rows of %d", test.of.name, cheap, dear, len(s.Rows), len(s.Columns))
		}
	}
}

// TestControls: backlink finds hubs that are hubs by their links, with whatever links; where there are
// none, or who is hot was dealt out by lot, it does not, nor does the oracle.
func TestControls(t *testing.T) {
	l := advising(t)
	l.webs = []*named{hubs(l, "hubs", 1000)}
	s := resultstest.Read(t, write(t, l, "controls"), "controls-hubs")
	for _, links := range []string{"as they are", "rewired"} {
		if half := s.Number("backlink", links); half > 20 {
			t.Errorf("%s: half of the hubs are found at %.1f %%", links, half)
		}
	}
	for _, order := range s.Columns[1:] {
		if half := s.Number(order, "as they are, permuted"); half < 30 || half > 70 {
			t.Errorf("%s: half of those that are hot by lot are found at %.1f %%", order, half)
		}
	}
	on, n := l.webs[0], len(l.webs[0].Pages)
	lot := curveOf(on.crawl(l.plain(), oracle(byLot), 0), l.ordered(l.dealt("heat", n)), l.Priced).Half()
	if half := s.Number(oracle(inDegree), "as they are, permuted"); math.Abs(half-lot) > 0.1 {
		t.Errorf("the oracle has half of those that are hot by lot at %.1f %%, by scores of a lot at %.1f %%", half,
			lot)
	}
	if half, real := s.Number("backlink", "drawn"), s.Number("backlink", "as they are"); half < 1.5*real {
		t.Errorf("half of the hottest are found at %.1f %%, with drawn links at %.1f %%", real, half)
	}
}

// TestMade: crawls of one draw that were made for prices do not do for the two draws of found; those of
// two do for one.
func TestMade(t *testing.T) {
	l := advising(t)
	l.webs = []*named{hubs(l, "hubs", 100)}
	write(t, l, "batches")
	write(t, l, "found")
	key := made{l.plain(), "breadth"}
	of := l.webs[0].done[key]
	if write(t, l, "crawlers"); len(of) != 2 || &l.webs[0].done[key][0] != &of[0] {
		t.Errorf("%d crawls of two draws, or they were made anew for one", len(of))
	}
}

// TestCurve: of ten pages the two hottest are fetched third and sixth; the third hottest is never, and does
// not count.
func TestCurve(t *testing.T) {
	c := curveOf([]uint32{5, 6, 0, 7, 8, 1, 9, 3, 4}, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, 30)
	if c[66] != 50 || c[67] != 100 || c.Half() != 34 {
		t.Errorf("half at %.1f, %v", c.Half(), c)
	}
}

// TestSeeds: there is one of each site where there are more sites than seeds; folders are none.
func TestSeeds(t *testing.T) {
	l := quick(t)
	w := hubs(l, "hubs", 1000)
	if n := len(l.seedsOf(w)); n != l.Seeds {
		t.Errorf("%d seeds of four hosts, want %d", n, l.Seeds)
	}
	for i := range w.Pages {
		w.Pages[i].URL = fmt.Sprintf("http://%c.test/%d/%d/%d.html", 'a'+i%20, i%5, i%2, i)
	}
	folders := &named{name: w.name, Web: w.Placed(web.Folder)}
	if a, b := l.seedsOf(w), l.seedsOf(folders); len(a) != 20 || !slices.Equal(a, b) {
		t.Errorf("seeds %v, with folders as hosts %v, want the same 20", a, b)
	}
	hosts := map[string]bool{}
	for i := range folders.Pages {
		hosts[folders.Pages[i].Host] = true
	}
	if len(hosts) != 21 {
		t.Errorf("%d places of two folders, want 20, for i modulo 4, 5 and 2, and one of the last page", len(hosts))
	}
	other := *l
	if other.draw++; slices.Equal(other.seedsOf(w), l.seedsOf(w)) {
		t.Error("two draws have the same seeds")
	}
}

// TestUniform: pages keep the number of their links, but for few; hubs are none any more.
func TestUniform(t *testing.T) {
	w := hubs(quick(t), "hubs", 1000)
	drawn := uniform(w.Web, rand.New(rand.NewPCG(1, 1)))
	if lost := w.Links() - drawn.Links(); lost < 0 || lost > w.Links()/50 {
		t.Errorf("%d of %d links are lost", lost, w.Links())
	}
	if before, after := slices.Max(degrees(w.Web)), slices.Max(degrees(drawn)); after > before/1.5 {
		t.Errorf("the most links to a page are %.0f, with drawn targets %.0f", before, after)
	}
}
