package main

import (
	"fmt"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// batches shows what is sent where crawlers exchange links now and then.
func (l *lab) batches(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, on := range l.webs {
		if err := l.batched(c, on); err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

// A sending is a row of a table for each draw.
type sending struct {
	name string
	advised.Trial
	cells [][]string // of each draw
}

// batched makes the tables of a Web.
func (l *lab) batched(c *results.Chapter, on *named) error {
	var seeds [][]uint32
	var draws []int
	for draw := range l.Simulated {
		seeds, draws = append(seeds, first(l.seeds(on, draw), l.Total)), append(draws, draw)
	}
	f, err := advised.New(l.bin, advised.Of(on.Web), nil, seeds)
	if err != nil {
		return err
	}
	defer f.Close()
	var byExchange, byKnown []*sending
	for _, pages := range l.Exchanges {
		for _, by := range []string{bySite, byURL} {
			t := advised.Trial{Batch: l.Batch, Crawlers: l.Shown, By: by, Exchange: pages}
			byExchange = append(byExchange, &sending{name: fmt.Sprint(pages, " ", by), Trial: t})
		}
	}
	for _, k := range l.Replicated {
		file := fmt.Sprint("replicated", k)
		t := advised.Trial{Batch: l.Batch, Crawlers: l.Shown, Exchange: l.Batched, Replicated: file}
		if err := f.List(file, first(l.popular(on, earlier), k)); err != nil {
			return err
		}
		byKnown = append(byKnown, &sending{name: fmt.Sprint(k), Trial: t})
	}
	var things []func() error
	for _, s := range append(byExchange, byKnown...) {
		s.cells = make([][]string, len(draws))
		things = append(things, func() error {
			return f.Run(s.Trial, []string{"breadth"}, draws, func(draw int, _ string, c *advised.Crawl) {
				s.cells[draw] = []string{s.name}
				for _, n := range []uint64{c.Sent.Each, c.Sent.Batch, c.Sent.Ever, c.Sent.Messages} {
					s.cells[draw] = append(s.cells[draw], perPage(n, len(c.Pages)))
				}
			})
		})
	}
	if err := advised.Together(things...); err != nil {
		return err
	}
	return c.Over(len(draws), l.Outside, func(draw int, c *results.Chapter) error {
		l.exchanged(c, on, byExchange, draw)
		l.known(c, on, byKnown, draw)
		return nil
	})
}

// perPage is so many for each page.
func perPage(n uint64, pages int) string { return draw.Number(float64(n)/float64(pages), 3) }

// whatIsSent explains the columns of both tables.
const whatIsSent = "For each page fetched. One by one: each link to a page of another crawler is sent. Batch: a " +
	"crawler sends a URL once in a batch, from one exchange to the next, as in the paper. Ever: once for ever. " +
	"Messages: batches, from one crawler to another at an exchange."

var sentColumns = []string{"one by one", "batch", "ever", "messages"}

// exchanged is the table by the pages from one exchange to the next.
func (l *lab) exchanged(c *results.Chapter, on *named, all []*sending, number int) {
	t := &draw.Table{Name: "batches-" + on.file(), Title: "URLs sent a page, in batches, " + on.name,
		Note: fmt.Sprintf("%d crawlers that exchange links whenever they have fetched so many pages together; 0: %d. ",
			l.Shown, l.Batch) + whatIsSent,
		Columns: append([]string{"pages and partition"}, sentColumns...)}
	for _, s := range all {
		t.Add(s.cells[number]...)
	}
	c.Table(t)
}

// known is the table by the number of replicated URLs.
func (l *lab) known(c *results.Chapter, on *named, all []*sending, number int) {
	t := &draw.Table{Name: "known-" + on.file(),
		Title: "URLs sent a page, in batches, with replicated URLs, " + on.name,
		Note: fmt.Sprintf("%d crawlers, by site, that exchange links whenever they have fetched %d pages together. So "+
			"many URLs are known to all, those with the most links on a half of the pages, which an earlier crawl has "+
			"fetched. ", l.Shown, l.Batched) + whatIsSent,
		Columns: append([]string{"replicated"}, sentColumns...)}
	for _, s := range all {
		t.Add(s.cells[number]...)
	}
	c.Table(t)
}
