package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// TestWays: where links keep to their topic, relevance finds it before breadth does, truth about the page
// before that, and relevance of other pages does not.
func TestWays(t *testing.T) {
	l := quick(t)
	f := &field{name: "web", batch: 10}
	for n := range 3 {
		f.hunts = append(f.hunts, l.huntOn(n, plot{2000, 10, 20, 6, 0.5, 0}, 0.95))
	}
	if err := f.crawl(l.bin, everyWay(), []int{f.batch}, toTheEnd); err != nil {
		t.Fatal(err)
	}
	of := func(way string) float64 { return f.mean(way, 10) }
	if of("soft") < 1.2*of("breadth") || of("oracle child") < of("soft") || of("permuted") > of("breadth") ||
		of("oracle parent") < of("breadth") || of("unfocused") > of("breadth") {
		for _, w := range everyWay() {
			t.Errorf("%s has found %.1f %% at 10 %%", w.name, of(w.name))
		}
	}
	if more, fewer := f.beside("soft", "breadth", 10); more != 3 || fewer != 0 {
		t.Errorf("soft is better in %d of 3 hunts and worse in %d", more, fewer)
	}
}

// chain is 0 ─► 1 ─► 2 ─► 3, of which 1 and 3 are wanted.
func chain(l *lab) *hunt {
	w := &web.Web{}
	for i, url := range []string{"http://a.test/A/0", "http://a.test/b.html", "http://b.test//c%20/?q",
		"http://b.test/"} {
		p := web.Page{URL: url, Host: "a.test", Status: 200}
		if i < 3 {
			p.Links = []int{i + 1}
		}
		w.Pages = append(w.Pages, p)
	}
	return l.hunting(0, w, []bool{false, true, false, true}, []float64{0.1, 0.9, 0.2, 0.8},
		[]bool{true, true, false, true}, []uint32{0})
}

// TestHard: a hard focus does not follow the links of a page whose best topic is another, and so has no
// more to fetch; what can be reached is counted along all links.
func TestHard(t *testing.T) {
	l := quick(t)
	h := chain(l)
	f := &field{name: "chain", batch: 1, hunts: []*hunt{h}}
	if err := f.crawl(l.bin, everyWay(), []int{f.batch}, toTheEnd); err != nil {
		t.Fatal(err)
	}
	for _, w := range everyWay() {
		want := []uint32{0, 1, 2, 3}
		if w.hard {
			want = want[:3]
		}
		if got := h.made[f.whole(w.name)]; !slices.Equal(got, want) {
			t.Errorf("%s fetches %d, want %d", w.name, got, want)
		}
	}
	if c := h.curve(f.whole("hard")); h.reached != 4 || h.all != 2 || c[100] != 50 || c[49] != 0 || c[50] != 50 {
		t.Errorf("%d pages, %d wanted; hard finds %v", h.reached, h.all, c)
	}
}

// TestUntil: a crawl that is ended is the beginning of the whole one, at least up to there.
func TestUntil(t *testing.T) {
	l := quick(t)
	h := l.huntOn(0, plot{2000, 10, 20, 6, 0.5, 0}, 0.95)
	f := &field{name: "web", batch: 7, hunts: []*hunt{h}}
	for _, until := range []int{10, toTheEnd} {
		if err := f.crawl(l.bin, waysOf([]string{"soft"}), []int{7}, until); err != nil {
			t.Fatal(err)
		}
	}
	begun, whole := h.made[made{"soft", 7, 10}], h.made[f.whole("soft")]
	if n := len(begun); n < h.reached/10 || n > h.reached/10+7 || !slices.Equal(begun, whole[:n]) ||
		h.curve(made{"soft", 7, 10})[10] != h.curve(f.whole("soft"))[10] {
		t.Errorf("%d pages of %d, or others than the first of the whole crawl", n, len(whole))
	}
}

// TestHarvest: of pages 1, 2 and 3 two are wanted; behind the end of a crawl there is nothing.
func TestHarvest(t *testing.T) {
	h := chain(&lab{})
	crawl := []uint32{0, 1, 2, 3}
	if got := h.harvest(crawl, 1, 4); got != 2./3 {
		t.Errorf("the harvest is %v", got)
	}
	if got := h.harvest(crawl, 4, 9); got == got {
		t.Errorf("the harvest of no page is %v", got)
	}
	if wanted, others := h.locality(); wanted != 0 || others != 1 {
		t.Errorf("%v of the links of wanted pages lead to wanted ones, %v of others", wanted, others)
	}
	if h.deal([]int{3, 0, 1, 2}); !slices.Equal(h.lot, []float64{0.8, 0.1, 0.9, 0.2}) {
		t.Errorf("dealt out anew, %v is %v", h.r, h.lot)
	}
}

// TestWords: the words of URLs, with no character that a canonical URL would have otherwise.
func TestWords(t *testing.T) {
	h := chain(&lab{})
	for i, want := range []string{"A/0", "b-html", "c-", ""} {
		if got := string(words(nil, h.Pages[i].URL)); got != want {
			t.Errorf("%s: %q, want %q", h.Pages[i].URL, got, want)
		}
	}
}

// TestLearn: a page is judged by what was learned from the other fold alone: there the words stand for the
// other topic.
func TestLearn(t *testing.T) {
	var samples []sets.Sample
	for _, s := range [][3]string{{"a", "law", "court judge"}, {"a", "sport", "goal ball"},
		{"b", "law", "goal ball"}, {"b", "sport", "court judge"}} {
		for range 5 {
			samples = append(samples, sets.Sample{Fold: s[0], Label: s[1], Body: []byte(s[2])})
		}
	}
	tree, err := flat([]string{"law", "sport"})
	if err != nil {
		t.Fatal(err)
	}
	g, err := learn(samples, tree, (&lab{}).options())
	if err != nil {
		t.Fatal(err)
	}
	law, _ := g.tree.Find("law")
	r, within := g.relevance(law), g.within(law)
	var wanted []bool
	for i, s := range samples {
		is := s.Label == "law"
		if wanted = append(wanted, is); within[i] == is || r[i] > 0.5 == is {
			t.Errorf("sample %d of the topic %s: R of law is %.2f, its best topic is good: %v", i, s.Label, r[i],
				within[i])
		}
	}
	if fit := fitOf(r, wanted); fit.right != 0 || fit.precision != 0 || fit.recall != 0 {
		t.Errorf("of a guide that is always wrong: %+v", fit)
	}
	if fit := fitOf([]float64{0.9, 0.9, 0.1, 0.9}, []bool{true, false, true, true}); fit.right != 0.5 ||
		fit.precision != 2./3 || fit.recall != 2./3 {
		t.Errorf("of a guide that is right about the first and the last of four: %+v", fit)
	}
	if some := g.part([]int{7}); some.pages[0] != g.pages[7] {
		t.Error("the guide of page 7 is that of another")
	}
}

// TestGrow: links keep to their topic as often as a plot says, and hubs always.
func TestGrow(t *testing.T) {
	l := &lab{}
	l.Synthetic.Seeds = 3
	h := l.huntOn(0, plot{2000, 10, 20, 6, 0.5, 0.05}, 0.9)
	in, all, right, pages := 0., 0., 0., 0.
	for i := range h.Pages {
		hub := plot{hubs: 0.05}.isHub(i)
		for _, to := range h.Pages[i].Links {
			same := h.Pages[to].Label == h.Pages[i].Label
			if hub && !same {
				t.Fatalf("hub %d links to %s", i, h.Pages[to].Label)
			}
			if !hub {
				if all++; same {
					in++
				}
			}
		}
		if hub {
			if h.r[i] > 0.5 || len(h.Pages[i].Links) < 30 {
				t.Errorf("hub %d has %d links and R %.2f", i, len(h.Pages[i].Links), h.r[i])
			}
			continue
		}
		if pages++; h.r[i] > 0.5 == h.wanted[i] {
			right++
		}
	}
	if in/all < 0.5 || in/all > 0.6 || right/pages < 0.87 || right/pages > 0.93 || len(h.seeds) != 3 ||
		!h.wanted[h.seeds[2]] {
		t.Errorf("%.2f of the links stay in their topic, the guide is right about %.2f; seeds %d", in/all, right/pages,
			h.seeds)
	}
}

// TestSets: hunts in the labelled sets begin where they should, and guides know more than chance.
func TestSets(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l := &lab{data: "../../../../shared/data"}
	if err := results.Parameters("parameters.toml", &l.parameters); err != nil {
		t.Fatal(err)
	}
	l.Law16.Draws = 2
	err := l.readFields()
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("the labelled sets are not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	for i, own := range []bool{false, true, true} {
		for _, h := range l.fields[i].hunts {
			if fit := fitOf(h.r, h.wanted); len(h.seeds) != l.Law16.Seeds || h.all < l.Law16.Least ||
				fit.precision < 0.5 {
				t.Errorf("%s: seeds %d, %d wanted, the guide %+v", l.fields[i].name, h.seeds, h.all, fit)
			}
			for _, seed := range h.seeds {
				if h.wanted[seed] != own || slices.Contains(h.twin.seeds, seed) {
					t.Errorf("%s: the seed %s, or its twin has it", l.fields[i].name, h.Pages[seed].URL)
				}
			}
		}
	}
	for _, h := range l.fields[3].hunts {
		if len(h.seeds) != 1 || h.Pages[h.seeds[0]].Label != "department" {
			t.Errorf("webkb: seeds %d", h.seeds)
		}
	}
	if n := len(l.fields[3].hunts); n != 3*len(l.WebKB.Topics) {
		t.Errorf("webkb: %d hunts", n)
	}
}

// TestChapters: a chapter of which one fold alone has a section is no topic; its sections are of the title.
func TestChapters(t *testing.T) {
	w, samples := &web.Web{}, []sets.Sample(nil)
	for _, s := range [][3]string{{"a", "1", "x/1/chapters/5"}, {"b", "1", "x/1/chapters/5"},
		{"a", "1", "x/1/chapters/6"}, {"b", "2", "x/2/chapters/5"}, {"a", "2", "2"}} {
		samples = append(samples, sets.Sample{Fold: s[0]})
		w.Pages = append(w.Pages, web.Page{Label: s[1], Group: s[2]})
	}
	tree, of, err := chapters(w, samples)
	if err != nil || !slices.Equal(of, []string{"1/5", "1/5", "1", "2", "2"}) || tree.Len() != 4 {
		t.Fatalf("topics %q, %v", of, err)
	}
	title, _ := tree.Find("1")
	if chapter, ok := tree.Find("1/5"); !ok || !tree.In(chapter, title) {
		t.Error("the chapter is not below its title")
	}
}

// TestLanguages: a page is of the language of its site, or of what it says where the site has several.
func TestLanguages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts.tsv")
	text := "host\tpages\tbytes\tlanguage\ttopic\na.test\t1\t2\tfr\tx\nb.test\t1\t2\ten+zh\tx\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	of, err := languagesOfSites(file)
	if err != nil || len(of) != 1 || of["a.test"] != "fr" {
		t.Errorf("%q, %v", of, err)
	}
	for page, want := range map[string]string{`<!doctype html><HTML class=x Lang='ZH-cn'>`: "ZH", `<html lang=de>`: "de",
		`<html xml:lang="fr">`: "fr", `<html><body lang="fr">`: "", `<html data-lang-x="fr">`: ""} {
		got := ""
		if m := saysLanguage.FindStringSubmatch(page); m != nil {
			got = m[1]
		}
		if got != want {
			t.Errorf("%s says %q, want %q", page, got, want)
		}
	}
}
