package main

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strings"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/examples/c4/study/internal/draw"
	"multitext/examples/c4/study/internal/sets"
)

// languages tells English pages from others (thesis 4.4.3), on pages whose language a person has read.
func languages(l *lab, c *chapter) error {
	pages, err := l.readPages()
	if err != nil {
		return err
	}
	t := &draw.Table{Name: "language", Title: "English or foreign",
		Note:    "Share of the English and of the foreign pages that are held for what they are; named: share of all that are given their own language.",
		Columns: strings.Split("identifier|English pages|known %|foreign pages|known %|named %", "|")}
	identifiers, err := l.identifiers()
	if err != nil {
		return err
	}
	var splitter terms.Splitter
	var d classify.Document
	for _, id := range identifiers {
		splitter.ASCII = id.ascii
		var all, right [2]int
		named := 0
		for _, p := range pages {
			d.Read(splitter.HTML(p.body))
			got := id.Identify(&d).Language
			kind := 0
			if p.language != "en" {
				kind = 1
			}
			all[kind]++
			if (got != "en") == (kind == 1) {
				right[kind]++
			}
			if got == p.language {
				named++
			}
		}
		name := "–"
		if id.names {
			name = draw.Percent(float64(named) / float64(len(pages)))
		}
		t.Add(id.name, fmt.Sprint(all[0]), draw.Percent(float64(right[0])/float64(all[0])), fmt.Sprint(all[1]), draw.Percent(float64(right[1])/float64(all[1])), name)
	}
	c.table(t)
	return nil
}

// An identifier is a way to tell the language, and its name in the table.
type identifier struct {
	language.Identifier
	name  string
	ascii bool // the thesis's brute force
	names bool // it knows more than English and not English
}

// identifiers are the thesis's, with the list that comes with the program and that of -words, and those of today.
func (l *lab) identifiers() (all []identifier, err error) {
	words, err := language.English()
	if err != nil {
		return nil, err
	}
	lists := []*language.WordList{words}
	for _, file := range strings.FieldsFunc(l.words, func(r rune) bool { return r == ',' }) {
		list, err := readWords(file)
		if err != nil {
			return nil, err
		}
		lists = append(lists, list)
	}
	for _, list := range lists {
		for _, cutoff := range l.Language.Cutoffs {
			for _, ascii := range []bool{false, true} {
				at := *list
				at.Cutoff = cutoff
				name := fmt.Sprintf("%d words, K = %.1f", list.Len(), cutoff)
				if ascii {
					name += ", US-ASCII"
				}
				all = append(all, identifier{&at, name, ascii, false})
			}
		}
	}
	grams, err := language.Languages()
	if err != nil {
		return nil, err
	}
	steps, err := language.NewTwoStep(true)
	if err != nil {
		return nil, err
	}
	return append(all, identifier{grams, "n-grams", false, true}, identifier{steps, "two steps", false, true},
		identifier{backwards{words}, "the first list, words spelled backwards", false, false}), nil
}

func readWords(file string) (*language.WordList, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read a list of words: %w", err)
	}
	defer f.Close()
	list, err := language.ReadWords(f, "en")
	if err != nil {
		return nil, fmt.Errorf("read a list of words: %s: %w", file, err)
	}
	return list, nil
}

// backwards is the red control: it spells words backwards before it looks them up.
type backwards struct{ language.Identifier }

func (b backwards) Identify(page *terms.Document) language.Guess {
	var other terms.Document
	for i := range page.Len() {
		term, count := page.Term(i)
		runes := []rune(string(term))
		slices.Reverse(runes)
		for range count {
			other.Add([]byte(string(runes)))
		}
	}
	return b.Identifier.Identify(&other)
}

// A readPage is one whose language a person has read.
type readPage struct {
	name, language string
	body           []byte
}

// readPages takes the pages that -pages names out of the set web.
func (l *lab) readPages() ([]readPage, error) {
	f, err := os.Open(l.pages)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	wanted := make(map[string]string)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, language, ok := strings.Cut(lines.Text(), "\t"); ok {
			wanted[name] = language
		}
	}
	var pages []readPage
	err = sets.Unpack(l.data, "web", func(path string, body []byte) error {
		if language, ok := wanted[path]; ok {
			pages = append(pages, readPage{path, language, body})
		}
		return nil
	})
	slices.SortFunc(pages, func(a, b readPage) int { return strings.Compare(a.name, b.name) })
	if err == nil && len(pages) != len(wanted) {
		err = fmt.Errorf("%d of the %d pages of %s are in the set web", len(pages), len(wanted), l.pages)
	}
	return pages, err
}
