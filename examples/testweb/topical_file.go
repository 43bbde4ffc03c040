package main

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// topicalFile is the parameters of a topical web, as its file has them; the package comment
// says what each means.
type topicalFile struct {
	Web         int
	Pages       int
	HostPages   int `toml:"host_pages"`
	Portals     int
	Sizes       map[string]float64
	Languages   []string
	HostPurity  float64 `toml:"host_purity"`
	Links       int
	PortalLinks int `toml:"portal_links"`
	Locality    float64
	SameHost    float64 `toml:"same_host"`
	Redirects   float64
	Gone        float64
	NoText      float64 `toml:"no_text"`
	Short       float64
	NoTopic     float64 `toml:"no_topic"`
	DeadHosts   float64 `toml:"dead_hosts"`
	Terms       [2]int
	ShortTerms  [2]int `toml:"short_terms"`
	Topical     float64
	Own         float64
}

// readTopicalFile reads the parameters in a file, and then each of sets, NAME=VALUE, in the place
// of what the file has.
func readTopicalFile(name string, sets []string) (f topicalFile, err error) {
	meta, err := toml.DecodeFile(name, &f)
	if err != nil {
		return f, fmt.Errorf("topical web: %w", err)
	}
	known := meta.Keys()
	if strange := meta.Undecoded(); len(strange) > 0 {
		return f, fmt.Errorf("topical web %s: unknown %s", name, strange[0])
	}
	for _, set := range sets {
		meta, err := toml.Decode(set, &f)
		if err != nil || len(meta.Keys()) != 1 || len(meta.Undecoded()) > 0 ||
			!slices.ContainsFunc(known, func(k toml.Key) bool { return k.String() == meta.Keys()[0].String() }) {
			return f, fmt.Errorf("-set %q: want NAME=VALUE with a name of %s, as locality=0.2", set, name)
		}
	}
	return f, nil
}

// check tells what is wrong with the parameters.
func (f *topicalFile) check(words map[string][]string) error {
	switch {
	case f.Web != 1:
		return fmt.Errorf("topical web: web = %d; this testweb knows version 1", f.Web)
	case f.Pages < 1 || f.Pages > 10_000_000:
		return errors.New("topical web: pages: want 1 to 10000000")
	case f.HostPages < 4 || f.HostPages%4 != 0 || f.HostPages > 4000:
		return errors.New("topical web: host_pages: want a multiple of 4, 4 to 4000")
	case f.Portals < 1 || f.Portals > 1000:
		return errors.New("topical web: portals: want 1 to 1000")
	case f.Links < 0 || f.Links > 1000 || f.PortalLinks < 1 || f.PortalLinks > 1000:
		return errors.New("topical web: links, portal_links: want up to 1000, and a portal with one at least")
	case f.Terms[0] < 1 || f.Terms[1] < f.Terms[0] || f.ShortTerms[0] < 1 || f.ShortTerms[1] < f.ShortTerms[0] ||
		f.Terms[1] > 100_000 || f.ShortTerms[1] > 100_000:
		return errors.New("topical web: terms, short_terms: want [LEAST, MOST], up to 100000")
	case f.Redirects+f.Gone+f.NoText+f.Short+f.NoTopic > 1:
		return errors.New("topical web: the shares of the kinds of pages are more than 1")
	}
	for _, p := range []float64{f.HostPurity, f.Locality, f.SameHost, f.Redirects, f.Gone, f.NoText, f.Short, f.NoTopic,
		f.DeadHosts, f.Topical, f.Own} {
		if !(p >= 0 && p <= 1) {
			return fmt.Errorf("topical web: %v is no share; want 0 to 1", p)
		}
	}
	return f.checkTopics(words)
}

func (f *topicalFile) checkTopics(words map[string][]string) error {
	for topic, size := range f.Sizes {
		if _, known := words[topic]; topic != foreign && (!known || len(topic) < 3 || topic == general) {
			return fmt.Errorf("topical web: sizes: there are no words on %q", topic)
		}
		if !(size > 0 && size < 1e9) {
			return fmt.Errorf("topical web: the size of %s is %v; want more than 0", topic, size)
		}
	}
	for _, language := range f.Languages {
		if _, known := words[language]; !known || len(language) != 2 {
			return fmt.Errorf("topical web: languages: there are no words in %q; want some of %q", language,
				slices.DeleteFunc(slices.Sorted(maps.Keys(words)), func(w string) bool { return len(w) != 2 }))
		}
	}
	if _, ok := f.Sizes[foreign]; ok && len(f.Languages) == 0 {
		return errors.New("topical web: foreign pages want languages")
	}
	if len(f.Sizes) < 2 {
		return errors.New("topical web: sizes: want two topics at least")
	}
	return nil
}

//go:embed topical_words.txt
var topicalWordList string

const general = "general" // the words of no topic

// topicalWords are the words of each topic and language.
func topicalWords() map[string][]string {
	words := map[string][]string{}
	name := ""
	for line := range strings.Lines(topicalWordList) {
		fields := strings.Fields(line)
		switch line[0] {
		case '#':
			continue
		case ' ':
		default:
			name, fields = fields[0], fields[1:]
		}
		words[name] = append(words[name], fields...)
	}
	return words
}
