package main

import (
	_ "embed"
	"fmt"
	"math"
	"os"
	"strings"

	"multitext/classify"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
)

// languages tells English pages from others (thesis 4.4.3): on the pages on which the bounds of the
// identifiers were set, and on texts that nobody looked at before.
func languages(l *lab, c *results.Chapter) error {
	identifiers, err := l.identifiers()
	if err != nil {
		return err
	}
	set, err := os.ReadFile(l.pages)
	if err != nil {
		return err
	}
	pages, err := l.readPages(string(set))
	if err != nil {
		return err
	}
	t := &draw.Table{Name: "language", Title: "English or foreign, on the pages on which the bounds were set",
		Note: "Share of the English and of the foreign pages that are held for what they are; named: share of all " +
			"that are given their own language. The pages were drawn by lot from 41 sites; those where menu and body " +
			"differ, or that hold nothing but names, were taken out by hand.",
		Columns: strings.Split("identifier|English pages|known %|foreign pages|foreign known %|named %", "|")}
	for _, id := range identifiers {
		t.Add(append([]string{id.name}, id.tell(pages).row(id.names)...)...)
	}
	c.Table(t)
	return l.unseenLanguages(c, identifiers)
}

//go:embed unseen.tsv
var unseenPages string

// unseenLanguages tries the identifiers on sets that are in English, and on pages of foreign sites.
func (l *lab) unseenLanguages(c *results.Chapter, identifiers []identifier) error {
	t := &draw.Table{Name: "language-unseen", Title: "English or foreign, on texts on which nothing was set",
		Columns: strings.Split("identifier|English pages|known %|foreign pages|foreign known %|named %", "|")}
	var groups [][]sets.Sample
	for _, read := range []func(string) (*sets.Set, error){sets.BBC, sets.Newsgroups,
		func(dir string) (*sets.Set, error) { return sets.WebKB(dir, false) }} {
		set, err := read(l.data)
		if err != nil {
			return err
		}
		groups = append(groups, l.english(set))
		t.Columns = append(t.Columns, set.Name+": known %")
	}
	t.Note = fmt.Sprintf("60 pages of sites that are not in English, drawn by lot, none left out (unseen.tsv); some "+
		"were never translated, and in many the menu is of another language than the body. Then sets that are in "+
		"English, text by text as far as they have %d terms: %d of the BBC, %d messages of 20 Newsgroups, %d pages "+
		"of WebKB.", l.Open.Short, len(groups[0]), len(groups[1]), len(groups[2]))
	pages, err := l.readPages(unseenPages)
	if err != nil {
		return err
	}
	for _, id := range identifiers {
		row := append([]string{id.name}, id.tell(pages).row(id.names)...)
		for _, texts := range groups {
			row = append(row, id.tell(texts).row(false)[1])
		}
		t.Add(row...)
	}
	c.Table(t)
	return nil
}

// english are the texts of a set that have enough terms, all labelled as English.
func (l *lab) english(set *sets.Set) (texts []sets.Sample) {
	var splitter terms.Splitter
	var d classify.Document
	for _, s := range set.Samples {
		if s.Document(&d, &splitter).Total() >= l.Open.Short {
			s.Label = "en"
			texts = append(texts, s)
		}
	}
	return texts
}

// A telling counts what an identifier has made of texts: English ones, and foreign ones.
type telling struct {
	all, right [2]int
	named      int
}

// tell tries the identifier on texts whose labels are their languages.
func (id *identifier) tell(texts []sets.Sample) (n telling) {
	splitter := terms.Splitter{ASCII: id.ascii}
	var d classify.Document
	for i := range texts {
		got := id.Identify(texts[i].Document(&d, &splitter)).Language
		kind := 0
		if texts[i].Label != "en" {
			kind = 1
		}
		n.all[kind]++
		if (got != "en") == (kind == 1) {
			n.right[kind]++
		}
		if got == texts[i].Label {
			n.named++
		}
	}
	return n
}

// row is the telling as cells: how many English ones and the share known, the same of foreign ones,
// and the share named, if the identifier names.
func (n telling) row(names bool) []string {
	named := math.NaN()
	if names {
		named = float64(n.named) / float64(n.all[0]+n.all[1])
	}
	return []string{fmt.Sprint(n.all[0]), draw.Percent(float64(n.right[0]) / float64(n.all[0])),
		fmt.Sprint(n.all[1]), draw.Percent(float64(n.right[1]) / float64(n.all[1])), draw.Percent(named)}
}

// readPages takes pages out of the set web: a list has a line for each, of its name and its
// language.
func (l *lab) readPages(list string) ([]sets.Sample, error) {
	wanted := make(map[string]string)
	for line := range strings.Lines(list) {
		if name, language, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			wanted[name] = language
		}
	}
	var pages []sets.Sample
	err := sets.Unpack(l.data, "web", func(path string, body []byte) error {
		if language, ok := wanted[path]; ok {
			pages = append(pages, sets.Sample{Name: path, Label: language, Body: body, HTML: true})
		}
		return nil
	})
	if err == nil && len(pages) != len(wanted) {
		err = fmt.Errorf("read pages of the set web: %d of %d are there", len(pages), len(wanted))
	}
	return pages, err
}
