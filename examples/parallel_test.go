package examples

import (
	"errors"
	"fmt"
	"slices"
	"testing"
)

// A mode is what parallel crawlers do with links to pages that are another's.
type mode struct {
	name    string
	vars    []string
	fetches func(d *divided, finder, url string) string // see rule
	counts  func(all, once int64) foreign               // what becomes of so many links that a crawler meets
}

func (m mode) rule(d *divided) rule {
	fetches := func(finder, url string) string { return m.fetches(d, finder, url) }
	return rule{fetches: fetches, keeps: finder, follows: finder}
}

// itself is for modes in which everybody fetches what it finds.
func itself(_ *divided, finder, _ string) string { return finder }

// The modes of Cho and Garcia-Molina.
var (
	exchange = mode{"exchange", []string{"links_by=host"},
		func(d *divided, _, url string) string { return d.owner[hostOf(url)] },
		func(all, once int64) foreign { return foreign{sent: once, before: all - once} }}
	inBatches = mode{"exchange in batches", []string{"links_by=host", "others=later", "every=1s"}, exchange.fetches,
		exchange.counts}
	inSums = mode{"exchange of numbers of links", append([]string{"sum=true", "order=backlink"}, inBatches.vars...),
		exchange.fetches, func(all, _ int64) foreign { return foreign{summed: all} }}
	firewall = mode{"firewall", []string{"links_by=host", "others=drop"},
		func(d *divided, finder, url string) string {
			if d.owner[hostOf(url)] == finder {
				return finder
			}
			return nobody
		},
		func(all, _ int64) foreign { return foreign{dropped: all} }}
	crossOver = mode{"cross-over", []string{"links_by=host", "others=aside"}, itself,
		func(all, once int64) foreign { return foreign{before: all - once} }}
	independent = mode{"independent", []string{"links_by=none"}, itself,
		func(int64, int64) foreign { return foreign{} }}
)

// flags are those of c4 run for a mode.
func (m mode) flags() []string {
	flags := []string{"-looks", "1s"}
	for _, v := range append([]string{"delay=0s", "pages_by=none"}, m.vars...) {
		flags = append(flags, "-var", v)
	}
	return flags
}

// In each mode crawlers fetch what they are to fetch, send and drop as many links as they meet, and
// end by themselves; and so says c4 measure. Two are enough where each fetches all.
func TestParallel(t *testing.T) {
	for _, c := range []struct {
		crawlers int
		mode
		more func(d *divided, m measured) error
	}{
		{4, exchange, func(d *divided, m measured) error {
			d.leavesTorn(exchange.flags()...)
			return wants(m.Overlap == 0 && m.URLsAPage > 0.5, m)
		}},
		{4, inSums, func(_ *divided, m measured) error { return wants(m.Overlap == 0 && m.URLsAPage > 0.5, m) }},
		{4, firewall, func(_ *divided, m measured) error {
			return wants(m.Overlap == 0 && m.Coverage > 0.2 && m.Coverage < 0.95, m)
		}},
		{2, crossOver, func(d *divided, m measured) error {
			return errors.Join(d.ownFirst(), wants(m.Overlap > 0.9 && m.URLsAPage == 0, m))
		}},
		{2, independent, func(_ *divided, m measured) error { return wants(m.Overlap > 0.9 && m.URLsAPage == 0, m) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			d := newDivided(t, programs(t), c.crawlers, 160)
			d.runAll(c.flags()...)
			m := d.cameToMeasures(c.mode)
			if err := c.more(d, m); err != nil {
				t.Error(err)
			}
			t.Log(m)
		})
	}
}

// wants is an error unless the measures are such that the test shows something.
func wants(ok bool, m measured) error {
	if ok {
		return nil
	}
	return fmt.Errorf("measured %v: no proof of anything", m)
}

// ownFirst is an error if a crawler has asked a host of another before it had all pages that it
// finds without links of others.
func (d *divided) ownFirst() error {
	first := d.simulate(firewall.rule(d))
	for node, a := range d.archives() {
		begun, own := "~", 0 // when it asked a host of another, and the pages of its own before
		for host, dates := range a.sent {
			if d.owner[host] != node {
				begun = min(begun, slices.Min(dates))
			}
		}
		for host, dates := range a.sent {
			for _, date := range dates {
				if d.owner[host] == node && date < begun {
					own++
				}
			}
		}
		want := first.answers(d.graph, node)
		if begun == "~" || own != len(want) {
			return fmt.Errorf("%s: asked others' hosts first at %s, with %d of its own pages, want %d", node, begun,
				own, len(want))
		}
	}
	return nil
}
