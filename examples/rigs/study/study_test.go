package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/results/resultstest"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

var whole = flag.Bool("sets", false, "hold the labelled sets to the claims as well; some minutes")

// quick are the parameters of the file, made small.
func quick(t *testing.T) parameters {
	t.Helper()
	p, err := readParameters("parameters.toml")
	if err != nil {
		t.Fatal(err)
	}
	p.Crawl.Bootstrap, p.Open.Finer, p.Open.Bins, p.Draws = 50, []int{2, 8}, 4, 3
	return p
}

// The red controls: with permuted labels and with rewired links nothing is kept but by chance, and
// without exchange every page is fetched by every crawler that can come to it.
func TestPartitions(t *testing.T) {
	l := invented(t)
	dir := resultstest.Write(t, func(c *results.Chapter) error {
		return l.over(c, func(l *lab, c *results.Chapter) error {
			return l.compare(c, l.read, "citations", l.read.Cited)
		})
	})
	kept, load := resultstest.Read(t, dir, "citations-kept"), resultstest.Read(t, dir, "citations-load")
	if at := fmt.Sprint(kept.Rows[0]); !strings.Contains(at, " to ") {
		t.Errorf("the draws have no band: %s", at)
	}
	topic, chance := kept.Number("Pr^P %", "topic, classifier", "100"),
		kept.Number("chance %", "topic, classifier", "100")
	if topic < 1.5*chance {
		t.Errorf("kept %.1f %% by topic, where chance is %.1f", topic, chance)
	}
	for _, control := range []string{"permuted labels", "links rewired", "content hash"} {
		if got := kept.Number("Pr^P %", control, "100"); math.Abs(got-chance) > 3 {
			t.Errorf("%s: kept %.1f %%, where chance is %.1f", control, got, chance)
		}
		if got, by := kept.Number("Pr^P %", control, "100"),
			kept.Number("by load %", control, "100"); math.Abs(got-by) > 1.5 {
			t.Errorf("%s: kept %.1f %%, where chance by load is %.1f", control, got, by)
		}
	}
	if off, on := load.Number("by one %", "exchange off", "100"),
		load.Number("by one %", "topic, classifier", "100"); off > 5 || on < 10 {
		t.Errorf("fetched by one crawler: %.1f %% with exchange, %.1f without", on, off)
	}
	if got := kept.Number("Pr^U %", "topic, classifier", "100"); !math.IsNaN(got) {
		t.Errorf("a partition of pages keeps %.1f %% of the links", got)
	}
	if got := kept.Number("Pr^P %", "URL hash", "100"); !math.IsNaN(got) {
		t.Errorf("a partition of URLs keeps %.1f %% of the pages", got)
	}
}

// Both unseen are the pages that neither they nor their parents were trained on.
func TestBothUnseen(t *testing.T) {
	l := invented(t)
	w := l.read
	p := l.ways(w)[1]
	log, err := l.crawl(w, p, l.seeds(w, truth(w), len(w.titles), 3))
	if err != nil {
		t.Fatal(err)
	}
	kept, all := 0., 0.
	for _, e := range log.Events {
		if e.Kind == sim.Fetched && e.Parent != sim.None && !w.trained[e.Page] && !w.trained[e.Parent] {
			all++
			if p.Pages[e.Page] == e.Crawler {
				kept++
			}
		}
	}
	f := log.Figures()
	pages, _ := l.tables("x")
	pages.Add(l.keptRow(p, 100, log, w.trained, &f)...)
	if got, want := pages.Rows[0][slices.Index(pages.Columns, "both unseen %")], draw.Percent(kept/all); got != want ||
		got == pages.Rows[0][slices.Index(pages.Columns, "unseen %")] {
		t.Errorf("kept of both unseen %s %%, want %s, and other than of the unseen: %q", got, want, pages.Rows[0])
	}
}

// Where the classifier is sure links stay, as these laws were grown; shuffled, confidence tells
// nothing.
func TestOpenQuestions(t *testing.T) {
	l := invented(t)
	dir := resultstest.Write(t, func(c *results.Chapter) error { return openQuestions(l, c) })
	sure := resultstest.Read(t, dir, "open-confidence")
	if first, last := sure.Number("kept %", "1"), sure.Number("kept %", "4"); last < first+20 {
		t.Errorf("kept %.1f %% where confidence is least, %.1f where it is highest", first, last)
	}
	if first, last := sure.Number("shuffled: kept %", "1"),
		sure.Number("shuffled: kept %", "4"); math.Abs(last-first) > 10 {
		t.Errorf("shuffled, kept is %.1f and %.1f %%", first, last)
	}
	finer := resultstest.Read(t, dir, "open-finer")
	if two, eight := finer.Number("again", "2"), finer.Number("again", "8"); two >= eight {
		t.Errorf("with two crawlers %.3f are fetched again, with eight %.3f", two, eight)
	}
	short := resultstest.Read(t, dir, "open-short")
	local, many := short.Number("kept by #0 %", "nowhere: they are local"),
		short.Number("kept by #0 %", "as many others to #0")
	if many > local-5 {
		t.Errorf("#0 keeps %.1f %%, and %.1f with as many others as there are short pages", local, many)
	}
}

// The order among a topic's pages is told by its own links; not where the links are rewired, nor at
// random.
func TestPageRanks(t *testing.T) {
	l := invented(t)
	dir := resultstest.Write(t, func(c *results.Chapter) error {
		return l.over(c, func(l *lab, c *results.Chapter) error {
			l.orders(c, "x", l.read.Cited, l.read.main.labels)
			return nil
		})
	})
	s := resultstest.Read(t, dir, "pagerank-x")
	topic, rewired := s.Number("mean", "topic, classifier"), s.Number("mean", "links rewired")
	random := s.Number("mean", "at random, with the sizes of topic, classifier")
	if topic < rewired+0.05 || math.Abs(random-rewired) > 0.05 {
		t.Errorf("tau is %.3f by topic, %.3f with rewired links, %.3f at random", topic, rewired, random)
	}
}

func TestRelate(t *testing.T) {
	l := invented(t)
	var labels []string
	for i := range l.read.Samples {
		labels = append(labels, l.read.Samples[i].Label)
	}
	if r := relate(l.read.Cited, labels, labels); r.r < 0.3 || r.n != l.read.Cited.Links() {
		t.Errorf("%d links, r is %.3f", r.n, r.r)
	}
	if r := relate(l.read.Cited.Rewired(l.random("rewired")), labels, labels); math.Abs(r.r) > 0.03 {
		t.Errorf("with rewired links r is %.3f", r.r)
	}
}

// The thesis's measure, on a Web whose figures can be told by hand: a page that persons call a,
// with eight links to pages that the classifier alone calls a; and 150 pages of b with a link each,
// every second one to a page that the classifier calls b.
func TestThesisMeasure(t *testing.T) {
	l := &lab{parameters: quick(t)}
	w, given := &web.Web{Pages: make([]web.Page, 310)}, []string{"b"}
	samples := make([]sets.Sample, 310)
	samples[0].Label = "a"
	for i := 1; i < 310; i++ {
		samples[i].Label = "b"
		switch {
		case i < 9:
			w.Pages[0].Links = append(w.Pages[0].Links, i)
		case i < 159:
			w.Pages[i].Links = []int{i + 151}
		}
		given = append(given, map[bool]string{true: "a", false: "b"}[i < 9 || i%2 == 0])
	}
	table := l.agreements("m", w, samples, given, "all", "same host")
	other := *l
	other.draw++
	table = append(table, other.agreements("m", w, samples, given, "all")...)
	if len(table) != 2 {
		t.Fatalf("there are %d rows, want one of each draw: %q", len(table), table)
	}
	cell := func(row, column int) float64 {
		x, err := strconv.ParseFloat(table[row][column], 64)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	mean, variance, all := cell(0, 2), cell(0, 3), cell(0, 4)
	if b := 2*mean - 100; math.Abs(b-50) > 20 || math.Abs(variance-(100-b)*(100-b)/2) > 10 ||
		math.Abs(all-(500+100*b)/105) > 0.2 {
		t.Errorf("all five children of a have its label, and about half of b's: mean %.1f %%, variance %.1f, of all "+
			"%.1f", mean, variance, all)
	}
	if n := table[0][6]; n != "105" {
		t.Errorf("%s links are followed, want 5 of the one page and 100 of the others", n)
	}
	if cell(0, 7) != 94.9 || cell(0, 10) != 0 {
		t.Errorf("by persons alone %.1f %% are the same, by the classifier alone %.1f; want 150 of 158, and none",
			cell(0, 7), cell(0, 10))
	}
	if slices.Equal(table[0], table[1]) {
		t.Error("two draws are the same")
	}
}

// With the labels of its training permuted a classifier knows nothing.
func TestPermutedTraining(t *testing.T) {
	l := invented(t)
	methods, err := l.methods()
	if err != nil {
		t.Fatal(err)
	}
	tr := trial{&l.read.Set, "law", l.read.trained}
	good, err := l.judge(tr, methods[0])
	if err != nil {
		t.Fatal(err)
	}
	bad, err := l.judge(tr.permuted(l.random("permuted")), methods[0])
	if err != nil {
		t.Fatal(err)
	}
	if a, b := good.Summary().Overall, bad.Summary().Overall; a < 0.6 || b > 0.3 {
		t.Errorf("%.3f are right, and %.3f after training on permuted labels", a, b)
	}
	right := 0
	for i, label := range good.labels {
		if judged := tr.Samples[i].Fold == sets.Test; judged != (label != "") {
			t.Fatalf("page %d of fold %q was given the label %q", i, tr.Samples[i].Fold, label)
		}
		if label == tr.Samples[i].Label {
			right++
		}
	}
	if s := good.Summary(); right != int(s.Overall*float64(s.Documents)+0.5) {
		t.Errorf("%d labels are right, %.3f of %d are said to be", right, s.Overall, s.Documents)
	}
}

// What is said of English and foreign texts can be told by hand; and a set's texts of few terms are
// not among them.
func TestTell(t *testing.T) {
	l := &lab{parameters: quick(t)}
	words, err := language.English()
	if err != nil {
		t.Fatal(err)
	}
	english, german := "the members of the council shall be paid for their work ",
		"die mitglieder des rates werden nicht bezahlt "
	var texts []sets.Sample
	for i, s := range []string{"en", "en", "de", "de", "de"} {
		body := english
		if i > 2 || i == 1 {
			body = german
		}
		texts = append(texts, sets.Sample{Label: s, Body: []byte(strings.Repeat(body, 20-i))})
	}
	id := identifier{words, "words", false, false}
	if got, want := fmt.Sprint(id.tell(texts).row(false)), "[2 50.0 3 66.7 –]"; got != want {
		t.Errorf("of texts, two of them of another language than said, is told %s, want %s", got, want)
	}
	if got := l.english(&sets.Set{Samples: append(texts, sets.Sample{Body: []byte(english)})}); len(got) != 5 ||
		got[4].Label != "en" {
		t.Errorf("%d of five long texts and one short are taken", len(got))
	}
}

// With words spelled backwards no page is English.
func TestBackwards(t *testing.T) {
	l := &lab{parameters: quick(t)}
	ids, err := l.identifiers()
	if err != nil {
		t.Fatal(err)
	}
	var d classify.Document
	for _, word := range strings.Fields("the members of the council shall be paid for their work") {
		d.Add([]byte(word))
	}
	first, last := ids[0].Identify(&d), ids[len(ids)-1].Identify(&d)
	if first.Language != "en" || last.Language == "en" {
		t.Errorf("the page is held for %+v, and backwards for %+v", first, last)
	}
}

// Where the sets are absent every experiment is skipped and none fails, and what an earlier run
// wrote stays.
func TestWithoutData(t *testing.T) {
	l := &lab{parameters: quick(t), data: t.TempDir(), pages: "no such file"}
	dir := t.TempDir()
	chapter := filepath.Join(dir, "results", "crawls.md")
	if err := errors.Join(os.Mkdir(filepath.Dir(chapter), 0o777),
		os.WriteFile(chapter, []byte("of an earlier run"), 0o666)); err != nil {
		t.Fatal(err)
	}
	if err := results.Run(l.experiments(), resultsText, dir, ""); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(chapter); err != nil || string(b) != "of an earlier run" {
		t.Errorf("the chapter of an experiment that was skipped is %q now: %v", b, err)
	}
	if err := results.Run(l.experiments(), resultsText, t.TempDir(), "pagerank,nothing"); err == nil {
		t.Error("an experiment that there is not was made")
	}
}

func TestParametersAreStrict(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.toml")
	if err := os.WriteFile(file, []byte("seed = 1\nsede = 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readParameters(file); err == nil || !strings.Contains(err.Error(), "sede") {
		t.Errorf("a misspelled parameter: %v", err)
	}
}

// TestClaims holds the law to what is claimed, in each draw; run with -sets.
func TestClaims(t *testing.T) {
	if !*whole {
		t.Skip("run with -sets")
	}
	p, err := readParameters("parameters.toml")
	if err != nil {
		t.Fatal(err)
	}
	l := &lab{parameters: p, data: "../../../../shared/data"}
	if _, err := l.laws(); errors.Is(err, fs.ErrNotExist) {
		t.Skip("without the labelled sets: ", err)
	}
	dir := resultstest.Write(t, func(c *results.Chapter) error { return partitions(l, c) })
	for _, name := range []string{"citations-claims", "all-links-claims"} {
		s := resultstest.Read(t, dir, name)
		for _, point := range p.Crawl.Points {
			at := fmt.Sprint(point)
			if s.Text("holds", at) != "yes" || s.Text("load holds", at) != "yes" {
				t.Errorf("%s at %s %%: %v", name, at, s.Rows)
			}
		}
	}
}
