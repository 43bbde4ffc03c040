package main

import (
	"fmt"
	"slices"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/results"
)

// An asked is the crawls that an experiment asks for: a trial in some orders.
type asked struct {
	advised.Trial
	orders []string
}

// A made is a trial in an order.
type made struct {
	advised.Trial
	order string
}

// crawls makes the crawls of some Webs that are asked for, from the seeds of the first draws. One that
// was made for another experiment is not made again.
func (l *lab) crawls(webs []*named, draws int, all []asked) error {
	var things []func() error
	for _, on := range webs {
		for measure, some := range on.missing(all, draws) {
			a, err := advised.New(l.bin, advised.Of(on.Web), l.scores(on.heat[measure]), on.seeds)
			if err != nil {
				return err
			}
			defer a.Close()
			for _, ask := range some {
				things = append(things, on.runs(a, ask, draws)...)
			}
		}
	}
	return advised.Together(things...)
}

// missing are the crawls that were not made yet, by the measure that the scores of their Web are to be of: an
// oracle goes by these, and with in-degree go all orders that are none.
func (on *named) missing(all []asked, draws int) map[string][]asked {
	missing := map[string][]asked{}
	for _, ask := range all {
		by := map[string][]string{}
		for _, order := range ask.orders {
			if len(on.done[made{ask.Trial, order}]) < draws {
				by[measureOf(order)] = append(by[measureOf(order)], order)
			}
		}
		for measure, orders := range by {
			missing[measure] = append(missing[measure], asked{ask.Trial, orders})
		}
	}
	return missing
}

// runs are the runs of advise that make some crawls, and put each in its place.
func (on *named) runs(a *advised.Folder, ask asked, draws int) (runs []func() error) {
	places, names := map[string][][]uint32{}, []string(nil)
	for _, order := range ask.orders {
		crawls := make([][]uint32, draws)
		on.done[made{ask.Trial, order}] = crawls
		if isOracle(order) {
			order = "score"
		}
		places[order], names = crawls, append(names, order)
	}
	var some []int
	for draw := range draws {
		if len(on.seeds[draw]) > 0 {
			some = append(some, draw)
		}
	}
	for _, hand := range advised.Hands(some) {
		runs = append(runs, func() error {
			return a.Run(ask.Trial, names, hand, func(draw int, order string, c *advised.Crawl) {
				places[order][draw] = slices.Clone(c.Pages)
			})
		})
	}
	return runs
}

// crawl is one that was made.
func (on *named) crawl(t advised.Trial, order string, draw int) []uint32 {
	return on.done[made{t, order}][draw]
}

// onWebs makes a part of a chapter for each of some Webs, once for each draw, with the crawls that are asked
// for, and with a lab whose random numbers are of that draw alone.
func (l *lab) onWebs(c *results.Chapter, draws int, some func(*named) bool, all []asked,
	do func(*lab, *results.Chapter, *named) error) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	var webs []*named
	for _, on := range l.webs {
		if some(on) {
			webs = append(webs, on)
		}
	}
	if err := l.crawls(webs, draws, all); err != nil {
		return err
	}
	for _, on := range webs {
		err := c.Over(draws, l.Outside, func(draw int, c *results.Chapter) error {
			of := *l
			of.draw = draw
			return do(&of, c, on)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

func everyWeb(*named) bool { return true }

func manyHosts(on *named) bool { return on.hosts }
