package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/web"
)

// quick is a lab with the parameters of the file, made small, with some programs.
func quick(t *testing.T, programs ...string) *lab {
	t.Helper()
	l := &lab{bin: t.TempDir(), example: "../../c4"}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "-o", l.bin + "/"}
	for _, program := range programs {
		args = append(args, "multitext/"+program)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("build %q: %v\n%s", programs, err, out)
	}
	l.Draws, l.Simulated, l.Overlap.Draws = 2, 2, 2
	return l
}

// sites is a Web of some pages on hosts of ten, which link to their host, to the first pages, and to any.
func (l *lab) sites(name string, pages int) *named {
	random, w := rand.New(rand.NewPCG(3, 4)), &web.Web{}
	for i := range pages {
		p := web.Page{URL: fmt.Sprintf("http://s%d.test/%d.html", i/10, i), Host: fmt.Sprintf("s%d.test", i/10),
			Label: []string{"22", "23", "24"}[i/10%3], Status: 200, Size: 1000}
		for _, to := range []int{i/10*10 + random.IntN(10), i/10*10 + random.IntN(10), random.IntN(5),
			random.IntN(pages)} {
			if to != i && to < pages && !slices.Contains(p.Links, to) {
				p.Links = append(p.Links, to)
			}
		}
		w.Pages = append(w.Pages, p)
	}
	return l.named(name, w)
}

// TestHouse: all experiments on webs of few pages, with the parameters of the file, make the tables and pictures of
// results/, with the same columns and rows, and RESULTS.md. Those in which managers crawl have a test of their own:
// their tables are those that are kept.
func TestHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := quick(t, "stages/advise", "stages/classify")
	for _, name := range []string{lawWeb, sitesWeb, "41 sites, by folder", "webkb"} {
		l.webs = append(l.webs, l.sites(name, 400))
	}
	dir := t.TempDir()
	made, all := filepath.Join(dir, "results"), l.experiments()
	for i, e := range all {
		if e.Name == "pipeline" || e.Name == "polite" {
			all[i].Run = func(c *results.Chapter) error {
				kept, err := results.ReadSheet("results", e.Name)
				c.Table(&draw.Table{Name: e.Name, Columns: kept.Columns, Rows: kept.Rows})
				return err
			}
		}
	}
	if err := results.Run(all, resultsText, dir, ""); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "RESULTS.md")); err != nil || len(text) < len(resultsText)/2 {
		t.Errorf("RESULTS.md has %d bytes: %v", len(text), err)
	}
	resultstest.SameShape(t, made, "results")
}

// TestShared: what is said of a Web whose links mostly stay on their hosts, and of its controls.
func TestShared(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := quick(t, "stages/advise", "stages/classify")
	l.webs = []*named{l.sites("sites", 2000)}
	l.Total, l.Quality.Seeds, l.Draws = 64, 10, 4
	read := func(table string, do func(*results.Chapter) error) resultstest.Sheet {
		return resultstest.Read(t, resultstest.Write(t, do), table)
	}
	s := read("coverage-total-sites", l.coverage)
	for _, n := range []string{"8", "32"} {
		site, url, rewired := s.Number("of one: by site", n), s.Number("of one: by URL", n),
			s.Number("of one: rewired, by site", n)
		if site < 1.5*url || rewired > (site+url)/2 {
			t.Errorf("%s crawlers: by site %.1f %%, by URL %.1f, rewired %.1f", n, site, url, rewired)
		}
	}
	s = read("sent-sites", l.sent)
	if site, url := s.Number("by site, ever", "16"), s.Number("by URL, ever", "16"); site > url/1.5 {
		t.Errorf("sent by site %.2f, by URL %.2f", site, url)
	}
	links, each := s.Number("links (n−1)/n", "16"), s.Number("by URL, one by one", "16")
	if links < 0.95*each || links > 1.05*each {
		t.Errorf("sent by URL %.2f, computed %.2f", each, links)
	}
	s = read("replicated-sites", l.replicated)
	if one, lot := s.Number("earlier, one by one", "10"), s.Number("lot, one by one", "10"); one > 0.8*lot {
		t.Errorf("with 10 popular pages %.2f are sent, with any %.2f", one, lot)
	}
	s = read("overlap-sites", l.overlap)
	if two, eight := s.Number("70 %", "2"), s.Number("70 %", "8"); !(two < eight) {
		t.Errorf("overlap of 2 crawlers %.2f, of 8 %.2f", two, eight)
	}
	s = read("batches-sites", l.batches)
	for _, row := range []string{"0 host", "1000 url"} {
		each, batch, ever := s.Number("one by one", row), s.Number("batch", row), s.Number("ever", row)
		if !(each > batch && batch > ever) {
			t.Errorf("%s: one by one %.3f, batch %.3f, ever %.3f", row, each, batch, ever)
		}
	}
	s = read("quality-sites", l.quality)
	none, every := s.Number("64 at 20 %", "0"), s.Number("64 at 20 %", "every")
	if random := s.Number("random at 20 %", "every"); none >= every || random >= every {
		t.Errorf("quality without exchanges %.1f %%, with %.1f; at random %.1f", none, every, random)
	}
}

// TestBesideAdvise: what is counted here without a crawl is what advise counts.
func TestBesideAdvise(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := quick(t, "stages/advise", "stages/classify")
	l.webs, l.Draws = []*named{l.sites("sites", 600)}, 2
	s := resultstest.Read(t, resultstest.Write(t, l.agree), "agree")
	for _, row := range s.Rows {
		is := "yes"
		if strings.Contains(row[2], "rewired") {
			is = "no"
		}
		if row[len(row)-1] != is {
			t.Errorf("%q, want %s", row, is)
		}
	}
}

// TestManaged: two managers fetch, send and drop what the simulation says, in each mode, and the control does
// not; and one of them asks a host that is one's, both one whose pages are dealt out.
func TestManaged(t *testing.T) {
	if testing.Short() {
		t.Skip("runs managers")
	}
	l := quick(t, "manager", "stages/...", "examples/c4", "examples/testweb")
	l.small = l.sites("sites", 40)
	l.Pipeline.Managers, l.Pipeline.Seeds, l.Polite.Managers, l.Polite.Pages = []int{2}, 6, 2, 8
	s := resultstest.Read(t, resultstest.Write(t, l.pipeline), "pipeline")
	if len(s.Rows) != 7 {
		t.Errorf("%d rows, want 7", len(s.Rows))
	}
	for _, row := range s.Rows {
		same := row[6] == "yes" && row[2] == row[3] && row[7] == row[8] && row[9] == row[10] && row[11] == row[12]
		if same == strings.Contains(row[1], "simulated by") {
			t.Errorf("managers beside simulation: %q", row)
		}
	}
	s = resultstest.Read(t, resultstest.Write(t, l.polite), "polite")
	for _, row := range s.Rows { // a busy machine may not keep the delay
		if asking := map[bool]string{true: "1", false: "2"}[row[1] == bySite]; row[2] != asking {
			t.Errorf("%q, want %s of two crawlers to ask the host", row, asking)
		}
	}
}
