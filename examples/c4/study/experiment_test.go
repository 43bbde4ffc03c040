package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"multitext/classify"
	"multitext/examples/c4/study/internal/sets"
	"multitext/examples/c4/study/internal/web"
)

var whole = flag.Bool("sets", false, "hold the labelled sets to the claims as well; some minutes")

// quick are the parameters of the file, made small.
func quick(t *testing.T) parameters {
	t.Helper()
	p, err := readParameters("parameters.toml")
	if err != nil {
		t.Fatal(err)
	}
	p.Crawl.Bootstrap, p.PageRank.Draws, p.Open.Finer, p.Open.Bins = 50, 3, []int{2, 8}, 4
	return p
}

// invented is a lab whose laws are grown: eight titles of 250 sections, of which every second has many words of
// its title and links within it, and every other few and anywhere. Every tenth is short. It tests the
// machinery, and is no evidence.
func invented(t *testing.T) *lab {
	t.Helper()
	random := rand.New(rand.NewPCG(7, 7))
	const titles, pages = 8, 2000
	l := &lab{parameters: quick(t), data: t.TempDir()}
	w := &collection{Law: &sets.Law{Set: sets.Set{Name: "law16", Web: &web.Web{}}, Cited: &web.Web{}}}
	for i := range pages {
		title := i % titles
		pure := (i/titles)%2 == 0
		page := web.Page{URL: fmt.Sprint("http://law/sections/", i), Host: fmt.Sprint("host", i%3), Group: fmt.Sprint(title, "-", i%5),
			Label: fmt.Sprint("t", title), Status: 200, Size: 1000, Content: uint64(i)}
		for range 5 {
			to := random.IntN(pages)
			if pure && random.IntN(10) > 0 {
				to += title - to%titles
			}
			if to != i && to < pages {
				page.Links = append(page.Links, to)
			}
		}
		w.Cited.Pages, w.Web.Pages = append(w.Cited.Pages, page), append(w.Web.Pages, page)
		sample := sets.Sample{Name: page.URL, Label: page.Label, Fold: []string{sets.Train, sets.Test}[random.IntN(2)], Body: text(random, title, pure, i%10 == 0)}
		w.Samples, w.Whole = append(w.Samples, sample), append(w.Whole, sample)
	}
	w.titles, w.trained = w.Cited.Labels(), w.Trained(100)
	var err error
	if w.main, err = classifyAll(w.Samples, w.trained, classify.Options{}); err != nil {
		t.Fatal(err)
	}
	w.whole = w.main
	for i := range w.Samples {
		w.terms = append(w.terms, len(strings.Fields(string(w.Samples[i].Body))))
	}
	l.read = w
	return l
}

func text(random *rand.Rand, title int, pure, short bool) []byte {
	var b []byte
	length, own := 60, 3
	if pure {
		own = 20
	}
	if short {
		length = 20
	}
	for word := range length {
		if word < own {
			b = fmt.Appendf(b, "topic%c%c ", 'a'+title, 'a'+random.IntN(20))
		} else {
			b = fmt.Appendf(b, "common%c%c ", 'a'+random.IntN(20), 'a'+random.IntN(20))
		}
	}
	return b
}

// write makes an experiment and returns the folder with what it wrote.
func write(t *testing.T, l *lab, do func(*lab, *chapter) error) string {
	t.Helper()
	dir := t.TempDir()
	c, err := newChapter(dir, "chapter")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(do(l, c), c.close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A sheet is a table that was written: rows by the text of their first cells, cells by their column.
type sheet struct {
	t       *testing.T
	name    string
	columns []string
	rows    [][]string
}

func read(t *testing.T, dir, name string) sheet {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	s := sheet{t: t, name: name}
	for i, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
		cells := strings.Split(line, "\t")
		if i == 0 {
			s.columns = cells
			continue
		}
		if len(cells) != len(s.columns) {
			t.Fatalf("%s: a row of %d cells under %d columns: %q", name, len(cells), len(s.columns), line)
		}
		s.rows = append(s.rows, cells)
	}
	return s
}

// number is the number in a column of the row that begins with these cells; NaN for "–".
func (s sheet) number(column string, begin ...string) float64 {
	s.t.Helper()
	for _, row := range s.rows {
		if strings.Join(row[:len(begin)], "\t") != strings.Join(begin, "\t") {
			continue
		}
		for i, name := range s.columns {
			if name == column {
				if row[i] == "–" {
					return math.NaN()
				}
				x, err := strconv.ParseFloat(row[i], 64)
				if err != nil {
					s.t.Fatalf("%s: %v in column %s", s.name, err, column)
				}
				return x
			}
		}
	}
	s.t.Fatalf("%s has no column %q in a row %q", s.name, column, begin)
	return 0
}

// The red controls: with permuted labels and with rewired links nothing is kept but by chance, and without exchange
// every page is fetched by every crawler that can come to it.
func TestPartitions(t *testing.T) {
	dir := write(t, invented(t), func(l *lab, c *chapter) error { return l.compare(c, l.read, "citations", l.read.Cited) })
	kept, load := read(t, dir, "citations-kept"), read(t, dir, "citations-load")
	topic, chance := kept.number("Pr^P %", "topic, classifier", "100"), kept.number("chance %", "topic, classifier", "100")
	if topic < 1.5*chance {
		t.Errorf("kept %.1f %% by topic, where chance is %.1f", topic, chance)
	}
	for _, control := range []string{"permuted labels", "links rewired", "content hash"} {
		if got := kept.number("Pr^P %", control, "100"); math.Abs(got-chance) > 3 {
			t.Errorf("%s: kept %.1f %%, where chance is %.1f", control, got, chance)
		}
		if got, by := kept.number("Pr^P %", control, "100"), kept.number("by load %", control, "100"); math.Abs(got-by) > 1.5 {
			t.Errorf("%s: kept %.1f %%, where chance by load is %.1f", control, got, by)
		}
	}
	if off, on := load.number("by one %", "exchange off", "100"), load.number("by one %", "topic, classifier", "100"); off > 5 || on < 10 {
		t.Errorf("fetched by one crawler: %.1f %% with exchange, %.1f without", on, off)
	}
	if got := kept.number("Pr^U %", "topic, classifier", "100"); !math.IsNaN(got) {
		t.Errorf("a partition of pages keeps %.1f %% of the links", got)
	}
	if got := kept.number("Pr^P %", "URL hash", "100"); !math.IsNaN(got) {
		t.Errorf("a partition of URLs keeps %.1f %% of the pages", got)
	}
}

// Where the classifier is sure links stay, as these laws were grown; shuffled, confidence tells nothing.
func TestOpenQuestions(t *testing.T) {
	dir := write(t, invented(t), openQuestions)
	sure := read(t, dir, "open-confidence")
	if first, last := sure.number("kept %", "1"), sure.number("kept %", "4"); last < first+20 {
		t.Errorf("kept %.1f %% where confidence is least, %.1f where it is highest", first, last)
	}
	if first, last := sure.number("shuffled: kept %", "1"), sure.number("shuffled: kept %", "4"); math.Abs(last-first) > 10 {
		t.Errorf("shuffled, kept is %.1f and %.1f %%", first, last)
	}
	finer := read(t, dir, "open-finer")
	if two, eight := finer.number("again", "2"), finer.number("again", "8"); two >= eight {
		t.Errorf("with two crawlers %.3f are fetched again, with eight %.3f", two, eight)
	}
	short := read(t, dir, "open-short")
	local, many := short.number("kept by #0 %", "nowhere: they are local"), short.number("kept by #0 %", "as many others to #0")
	if many > local-5 {
		t.Errorf("#0 keeps %.1f %%, and %.1f with as many others as there are short pages", local, many)
	}
}

// The order among a topic's pages is told by its own links; not where the links are rewired, nor at random.
func TestPageRanks(t *testing.T) {
	l := invented(t)
	dir := write(t, l, func(l *lab, c *chapter) error {
		l.orders(c, "x", l.read.Cited, l.read.main.labels)
		return nil
	})
	s := read(t, dir, "pagerank-x")
	topic, rewired := s.number("mean", "topic, classifier"), s.number("mean", "links rewired")
	random := s.number("mean", "at random, 3 draws with the sizes of topic, classifier")
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
	every := func(from, to int) bool { return true }
	if r := relate(l.read.Cited, labels, every); r.r < 0.3 || r.n != l.read.Cited.Links() {
		t.Errorf("%d links, r is %.3f", r.n, r.r)
	}
	if r := relate(l.read.Cited.Rewired(l.random("rewired")), labels, every); math.Abs(r.r) > 0.03 {
		t.Errorf("with rewired links r is %.3f", r.r)
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

// Where the sets are absent every experiment is skipped, and none fails.
func TestWithoutData(t *testing.T) {
	l := &lab{parameters: quick(t), data: t.TempDir(), pages: "no such file"}
	if err := run(l, t.TempDir(), ""); err != nil {
		t.Error(err)
	}
	if err := run(l, t.TempDir(), "pagerank,nothing"); err == nil {
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

// TestClaims holds the law to what is claimed; run with -sets.
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
	dir := write(t, l, partitions)
	for _, name := range []string{"citations-claims", "all-links-claims"} {
		s := read(t, dir, name)
		for _, point := range p.Crawl.Points {
			at := fmt.Sprint(point)
			if s.number("times", at) < p.Want.OverPermuted || s.number("load, fetched", at) > p.Want.Load || s.number("load, taken", at) > p.Want.Load {
				t.Errorf("%s at %s %%: %v", name, at, s.rows)
			}
		}
	}
}
