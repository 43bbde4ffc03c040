package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"multitext/classify"
	"multitext/classify/language"
	"multitext/classify/terms"
	"multitext/examples/rigs/internal/sets"
)

// saysLanguage finds what the first tag of a page says of its language.
var saysLanguage = regexp.MustCompile(`(?i)<html[^>]{0,300}\blang=["']?([a-z]{2})\b`)

// identify is the language of the site of each page, or, where that has several, the one that the page says
// that it is in; and the one that the identifier makes of it.
func (l *lab) identify() (said, guessed map[string]string, err error) {
	sites, err := languagesOfSites(filepath.Join(l.data, "web.hosts.tsv"))
	if err != nil {
		return nil, nil, err
	}
	grams, err := language.Languages()
	if err != nil {
		return nil, nil, err
	}
	said, guessed = map[string]string{}, map[string]string{}
	var splitter terms.Splitter
	var d classify.Document
	err = sets.Unpack(l.data, "web", func(name string, body []byte) error {
		if ending := filepath.Ext(name); ending != ".html" && ending != ".htm" {
			return nil
		}
		host, _, _ := strings.Cut(name, "/")
		if said[name] = sites[host]; said[name] == "" {
			if m := saysLanguage.FindSubmatch(body); m != nil {
				said[name] = strings.ToLower(string(m[1]))
			}
		}
		page := sets.Sample{Body: body, HTML: true}
		guessed[name] = grams.Identify(page.Document(&d, &splitter)).Language
		return nil
	})
	return said, guessed, err
}

// languagesOfSites reads a table of hosts: the fourth column is the language; "" of one with several.
func languagesOfSites(file string) (map[string]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the languages of sites: %w", err)
	}
	of := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "\t"); len(cells) > 3 && len(cells[3]) == 2 {
			of[cells[0]] = cells[3]
		}
	}
	return of, nil
}
