package main

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
)

const topicalParameters = "../c4/web.toml"

func openTestTopical(t testing.TB, seed uint64, sets ...string) *topical {
	t.Helper()
	w, err := openTopical(&options{topical: topicalOptions{file: topicalParameters, sets: sets},
		shape: shape{seed: seed}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The web of a seed is the same for ever: figures are compared over years.
func TestTopicalSameBytes(t *testing.T) {
	w, err := openTopical(&options{topical: topicalOptions{file: "testdata/topical-v1.toml"}, shape: shape{seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	h := xxhash.New()
	if err := w.printLinks(h); err != nil {
		t.Fatal(err)
	}
	for n := range 200 {
		h.Write(w.appendPage(nil, w.page(n)))
	}
	const want = "de530d13f1e3fa09"
	if got := fmt.Sprintf("%016x", h.Sum64()); got != want {
		t.Errorf("the web of seed 1 hashes to %s, want %s: it has changed", got, want)
	}
}

// TestTopicalAccuracy holds naive Bayes to what the web was made for: right in 55 to 70 of 100
// pages. It looks at webs of two seeds for training, at none that is crawled.
func TestTopicalAccuracy(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	var training classify.Training
	readTrainingPages(t, 101, 100, func(label string, d *classify.Document) {
		if err := training.Add(label, d); err != nil {
			t.Fatal(err)
		}
	})
	model, err := classify.Train(&training, classify.Options{Method: classify.NaiveBayes{Smoothing: 1}})
	if err != nil {
		t.Fatal(err)
	}
	var judged classify.Confusion
	var r classify.Ranking
	readTrainingPages(t, 102, 60, func(label string, d *classify.Document) {
		model.Classify(d, &r)
		judged.Add(label, &r)
	})
	accuracy := judged.Summary().Overall
	t.Logf("%.3f of 900 pages", accuracy)
	if accuracy < 0.55 || accuracy > 0.70 {
		t.Errorf("naive Bayes is right in %.3f of the pages, want 0.55 to 0.70", accuracy)
	}
}

// readTrainingPages hands out n pages of each topic as documents.
func readTrainingPages(t *testing.T, seed uint64, n int, each func(label string, d *classify.Document)) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "train")
	if err := openTestTopical(t, seed).train(dir, n); err != nil {
		t.Fatal(err)
	}
	var d classify.Document
	var split terms.Splitter
	files := 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		d.Read(split.HTML(text))
		files++
		each(filepath.Base(filepath.Dir(name)), &d)
		return nil
	})
	if err != nil || files != 15*n {
		t.Fatalf("%d training pages (%v), want %d of each of 15 topics", files, err, n)
	}
}

// Each kind of page is taken for what it is by the rules that the classifier goes by.
func TestTopicalKinds(t *testing.T) {
	w := openTestTopical(t, 1)
	english, err := language.English()
	if err != nil {
		t.Fatal(err)
	}
	grams, err := language.Languages()
	if err != nil {
		t.Fatal(err)
	}
	var split terms.Splitter
	var doc terms.Document
	kinds, wrong := map[string]int{}, map[string]int{}
	for n := range w.Pages {
		p := w.page(n)
		if p.status() != 200 {
			continue
		}
		page := w.appendPage(nil, p)
		doc.Read(split.HTML(page))
		count := doc.Total()
		verdict := terms.Judge(200, count, terms.X4Short)
		kinds[p.kind]++
		switch {
		case (p.kind == topicalNoText) != (verdict == terms.NoText),
			(p.kind == topicalShort) != (verdict == terms.Short):
			t.Errorf("%s is %s, and its %d terms are judged %s", p.url(), p.kind, count, verdict)
		case verdict != terms.Classifiable:
			continue
		}
		if (english.Identify(&doc).Language == "en") != (p.language == "en") {
			wrong["word list"]++
		}
		if grams.Identify(&doc).Language != p.language {
			wrong["n-grams"]++
		}
	}
	t.Log(kinds, wrong)
	for name, n := range wrong {
		if n > 30 {
			t.Errorf("the %s takes %d of %d pages for another language", name, n, w.Pages)
		}
	}
	for _, kind := range []string{topicalText, topicalNoTopic, topicalShort, topicalNoText} {
		if kinds[kind] < 60 {
			t.Errorf("%d pages of kind %s", kinds[kind], kind)
		}
	}
}

// The share of links that stay in their topic is what the law of links says: locality, and of
// the rest what chance gives; at locality 0 chance alone.
func TestTopicalLocality(t *testing.T) {
	for _, locality := range []float64{0, 0.2, 0.4, 0.62, 0.8} {
		w := openTestTopical(t, 1, fmt.Sprint("locality=", locality))
		sizes, links, stay, here := make([]float64, len(w.topics)), 0.0, 0.0, 0.0
		chance := 0.0
		for n := range w.Pages {
			sizes[w.page(n).topic]++
		}
		for n := range w.Pages {
			p := w.page(n)
			for _, to := range w.links(p) {
				if to.host == portalHost {
					continue
				}
				links++
				chance += sizes[p.topic] / float64(w.Pages)
				if w.at(to).topic == p.topic {
					stay++
				}
				if to.host == p.host {
					here++
				}
			}
		}
		want := locality + (1-locality)*chance/links
		t.Logf("locality %.2f: %.3f stay in their topic (chance %.3f), %.3f on their host", locality, stay/links,
			chance/links, here/links)
		if math.Abs(stay/links-want) > 0.01 {
			t.Errorf("locality %v: %.3f of the links stay in their topic, want %.3f", locality, stay/links, want)
		}
	}
}

// A page is found under its URL and under no other; what is served is what -links tells.
func TestTopicalServesItsLinks(t *testing.T) {
	w := openTestTopical(t, 1, "pages=500")
	var told bytes.Buffer
	if err := w.printLinks(&told); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(told.String()), "\n")[1:]
	if len(lines) != 505 {
		t.Fatalf("%d pages are told, want 500 and 5 portals", len(lines))
	}
	for _, line := range lines {
		f := strings.Split(line, "\t")
		host, path, _ := strings.Cut(strings.TrimPrefix(f[0], "http://"), "/")
		a := w.answer(host, "/"+path, "", nil)
		if f[2] == topicalDead {
			continue
		}
		if got := fmt.Sprint(a.status); got != f[1] {
			t.Errorf("%s answers %s, told %s", f[0], got, f[1])
		}
		var served []string
		for _, part := range strings.Split(string(a.body), `<a href="`)[1:] {
			url, _, _ := strings.Cut(part, `"`)
			served = append(served, url)
		}
		if a.location != "" {
			served = []string{a.location}
		}
		if got := strings.Join(served, " "); got != f[5] {
			t.Errorf("%s links %q, told %q", f[0], got, f[5])
		}
	}
	for _, strange := range []string{"http://c000.test/", "http://c000.test/0.html", "http://c000.test/00099.html",
		"http://c999.test/00000.html", "http://portal.test/00005.html"} {
		host, path, _ := strings.Cut(strings.TrimPrefix(strange, "http://"), "/")
		if a := w.answer(host, "/"+path, "", nil); a.status != 404 || a.kind != kindStray {
			t.Errorf("%s answers %d as %s", strange, a.status, a.kind)
		}
	}
}

// A larger web of a seed holds the hosts of a smaller one, so that seeds serve both.
func TestTopicalGrows(t *testing.T) {
	small, large := openTestTopical(t, 1), openTestTopical(t, 1, "pages=50000")
	for n := range small.Pages {
		if a, b := small.page(n), large.page(n); a != b {
			t.Fatalf("page %d is %+v of 3,000 and %+v of 50,000", n, a, b)
		}
	}
	for n := range large.Pages {
		if s := large.spot(n); large.start(s.host)+s.i != n {
			t.Fatalf("page %d is at %+v, where page %d is", n, s, large.start(s.host)+s.i)
		}
	}
}

func TestTopicalFileRefused(t *testing.T) {
	for set, want := range map[string]string{
		"localty=0.2":        "-set",
		"locality":           "-set",
		"locality=2":         "no share",
		"pages=0":            "pages",
		"host_pages=6":       "multiple of 4",
		"sizes.cars=3":       "cars",
		"sizes.arts=-1":      "arts",
		`languages=["xx"]`:   "xx",
		"terms=[9,3]":        "terms",
		"web=2":              "version",
		"gone=0.9":           "more than 1",
		"links=1\nportals=2": "-set",
	} {
		_, err := openTopical(&options{topical: topicalOptions{file: topicalParameters, sets: []string{set}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("-set %s: %v, want a word on %q", set, err, want)
		}
	}
}

func TestTopicalOptions(t *testing.T) {
	for args, want := range map[string]string{
		"-links":                  "-topical",
		"-set locality=1":         "-topical",
		"-topical F -root D":      "-root",
		"-topical F -hostile 2":   "-hostile",
		"-topical F -train D":     "number of pages",
		"-topical F -train D x":   "number of pages",
		"-topical F -train D 3 4": "unexpected",
		"-topical F more":         "unexpected",
	} {
		var said bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), io.Discard, &said); code != 2 ||
			!strings.Contains(said.String(), want) {
			t.Errorf("testweb %s: exit code %d and %q, want 2 and a word on %q", args, code, &said, want)
		}
	}
	var out, said bytes.Buffer
	if code := run(t.Context(), []string{"-topical", topicalParameters, "-set", "pages=40", "-links"}, &out,
		&said); code != 0 || strings.Count(out.String(), "\n") != 46 {
		t.Errorf("-links of 40 pages: exit code %d, %q and\n%s", code, &said, &out)
	}
}
