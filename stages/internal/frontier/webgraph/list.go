package webgraph

import (
	"cmp"
	"fmt"
	"slices"

	"multitext/stages/internal/frontier/centrality"
)

// A Listed is a page on the list of hubs, or on that of authorities.
type Listed struct {
	URL    string
	Value  float32 // as a hub or as an authority, by the last distillation
	Worth  float32 // what the page was worth
	Links  int     // of a hub: authorities that it links to; of an authority: hubs that link to it
	Why    []Listed
	number uint32
}

// List is the best hubs, and the best authorities, at most so many of each, the best first. Why has
// of each the best authorities that it links to, or the best hubs that link to it, at most reasons.
func (s *State) List(most, reasons int) (hubs, authorities []Listed, err error) {
	l := &lister{State: s, reasons: reasons}
	if hubs, err = l.best(ofHubs, most); err == nil {
		authorities, err = l.best(ofAuthorities, most)
	}
	if err == nil {
		err = l.cited(hubs)
	}
	if err == nil {
		err = l.citing(authorities)
	}
	if err == nil {
		err = l.name(hubs, authorities)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("graph of pages: %w", err)
	}
	return hubs, authorities, nil
}

// A lister makes the lists.
type lister struct {
	*State
	reasons int
}

func listed(top []centrality.Valued) (all []Listed) {
	for _, page := range top {
		all = append(all, Listed{number: page.Page, Value: page.Value})
	}
	return all
}

// best are the pages with the greatest values of a kind.
func (l *lister) best(kind uint64, most int) ([]Listed, error) {
	top := centrality.Top{Most: most}
	err := l.each(kind, func(page uint64, entry []byte) error {
		return eachValue(entry, func(value float32) error {
			top.Offer(uint32(page), value)
			page++
			return nil
		})
	})
	return listed(top.Best()), err
}

// name gives all pages of the lists their URLs, and what they were worth.
func (l *lister) name(lists ...[]Listed) error {
	var all []*Listed
	for _, list := range lists {
		for i := range list {
			all = append(all, &list[i])
			for j := range list[i].Why {
				all = append(all, &list[i].Why[j])
			}
		}
	}
	slices.SortFunc(all, func(a, b *Listed) int { return cmp.Compare(a.number, b.number) })
	names, judged := names{urls: l.walk(ofURLs)}, l.walk(ofWorth)
	for _, page := range all {
		url, err := names.of(uint64(page.number))
		if err != nil {
			return err
		}
		page.URL = string(url)
		ok, err := judged.is(uint64(page.number))
		var j judgement
		if err == nil && ok {
			err = j.unpack(judged.value)
		}
		if err != nil {
			return err
		}
		page.Worth = j.worth
	}
	return nil
}
