package language

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"multitext/classify/terms"
	"multitext/classify/testkit"
)

// page is one whose language a person has read.
type page struct {
	name, language string
	body           []byte
}

// readPages are the pages of testdata/pages.tsv.
func readPages(t testing.TB) []page {
	t.Helper()
	wanted := labels(t)
	var pages []page
	testkit.Pages(t, 1, func(name string, body []byte) bool {
		if language, ok := wanted[name]; ok {
			pages = append(pages, page{name, language, body})
		}
		return len(pages) < len(wanted)
	})
	if len(pages) != len(wanted) {
		t.Fatalf("%d of %d pages are there", len(pages), len(wanted))
	}
	return pages
}

func labels(t testing.TB) map[string]string {
	f, err := os.Open("testdata/pages.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all := map[string]string{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, language, ok := strings.Cut(lines.Text(), "\t"); ok {
			all[name] = language
		}
	}
	return all
}

var wordsFile = flag.String("words", "", "a list of English words to try on real pages, beside that of the program")

// TestRealPages prints how well the identifiers tell English pages from others, and asks of the
// n-grams, and of the two steps, that they know 98 % of the English and 97 % of the foreign ones.
func TestRealPages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	pages := readPages(t)
	trials := []trial{
		{name: "word list at 0.4", id: list(t, 0.4)},
		{name: "word list at 0.5", id: list(t, 0.5), english: 0.9, foreign: 0.9},
		{name: "word list at 0.6", id: list(t, 0.6)},
		{name: "word list at 0.5, ASCII", id: list(t, 0.5), ascii: true},
		{name: "n-grams", id: languages(t), english: 0.98, foreign: 0.97},
		{name: "two steps", id: twoStep(t, true), english: 0.98, foreign: 0.97},
		{name: "two steps without names", id: twoStep(t, false), english: 0.98, foreign: 0.97},
	}
	if *wordsFile != "" {
		for _, cutoff := range []float64{0.4, 0.5, 0.6} {
			l := listOf(t, *wordsFile)
			l.Cutoff = cutoff
			trials = append(trials, trial{name: fmt.Sprintf("%d words at %.1f", l.Len(), cutoff), id: l})
		}
	}
	for _, c := range trials {
		english, foreign := c.run(t, pages)
		if english < c.english || foreign < c.foreign {
			t.Errorf("%s: %.3f of the English and %.3f of the foreign pages, want %.2f and %.2f", c.name, english,
				foreign, c.english, c.foreign)
		}
	}
}

// trial is an identifier on pages: their terms of letters of ASCII alone, if wanted, and the least
// shares that it must know.
type trial struct {
	name             string
	id               Identifier
	ascii            bool
	english, foreign float64
}

// run gives the shares of the English and of the foreign pages that are held for what they are.
func (c trial) run(t *testing.T, pages []page) (english, foreign float64) {
	var right, all [2]float64
	var d terms.Document
	named := 0.0
	for _, p := range pages {
		d.Read((&terms.Splitter{ASCII: c.ascii}).HTML(p.body))
		g := c.id.Identify(&d)
		kind := 0
		if p.language != "en" {
			kind = 1
		}
		all[kind]++
		if (g.Language != "en") == (kind == 1) {
			right[kind]++
		} else {
			t.Logf("%s: %s is held for %+v, and is %q", c.name, p.name, g, p.language)
		}
		if g.Language == p.language {
			named++
		}
	}
	english, foreign = right[0]/all[0], right[1]/all[1]
	t.Logf("%s: %.1f %% of %.0f English pages, %.1f %% of %.0f foreign ones, %.1f %% by name",
		c.name, 100*english, all[0], 100*foreign, all[1], 100*named/(all[0]+all[1]))
	return english, foreign
}

func twoStep(t testing.TB, name bool) *TwoStep {
	t.Helper()
	s, err := NewTwoStep(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func listOf(t *testing.T, name string) *WordList {
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l, err := ReadWords(f, "en")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func list(t testing.TB, cutoff float64) *WordList {
	t.Helper()
	l, err := English()
	if err != nil {
		t.Fatal(err)
	}
	l.Cutoff = cutoff
	return l
}
