package main

import (
	"fmt"
	"io/fs"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/study/internal/sim"
)

var errNoPrograms = fmt.Errorf("without -bin there are no programs to crawl with: %w", fs.ErrNotExist)

// crawls lets the sixteen crawlers of examples/c4 crawl topical webs of different locality, and
// holds what came of it against a simulation over the web's links and the labels that the crawl
// gave.
func crawls(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	c.Say("Crawls of %d pages that testweb invents: a test of the machinery, and no evidence. The simulation knows "+
		"the links that testweb prints, the seeds, and of the crawl the labels alone. At the end of a crawl it does "+
		"not matter any more in which order pages were fetched, so a crawl in which nothing was lost is exactly as "+
		"simulated.", l.Synthetic.Pages)
	held, controls := l.crawlTables()
	for _, locality := range l.Synthetic.Localities {
		p := plan{pages: l.Synthetic.Pages, locality: locality}
		if locality != l.Synthetic.Shown {
			p.vars = []string{"delay=0s"}
		}
		x, err := l.collaborate(p)
		if err != nil {
			return fmt.Errorf("locality %g: %w", locality, err)
		}
		if err := l.against(held, controls, locality, x); err != nil {
			return err
		}
		if locality != l.Synthetic.Shown {
			continue
		}
		x.tables(c)
		if err := l.unclassified(c, x); err != nil {
			return err
		}
	}
	c.Table(held)
	c.Table(controls)
	return nil
}

// crawlTables are the tables with a row for each crawl.
func (l *lab) crawlTables() (held, controls *draw.Table) {
	held = &draw.Table{Name: "crawls", Title: "Crawls and their simulation, by locality",
		Note: fmt.Sprintf("Behind each figure of the crawl stands the simulation's. Given up: URLs that got no "+
			"answer. Kept: share of the classifiable pages that the crawler which fetched them kept, seeds with the "+
			"others. Sent: bytes of batches, compressed, by byte fetched, which was not. Off by: the greatest "+
			"distance of a share of the crawl from the simulation's, in points: of each crawler's pages that go to "+
			"each other, and of the URLs fetched by exactly k; at most %.1f is wanted.", 100*l.Synthetic.Within),
		Columns: strings.Split("locality|URLs|fetches|simulated|given up|simulated|kept %|simulated %|by one %|"+
			"simulated %|by two at most %|simulated %|sent|off by, matrix|off by, k|holds", "|")}
	controls = &draw.Table{Name: "crawls-controls", Title: "Kept by chance, by locality",
		Note: "All simulated, with the seeds and the labels of the crawl. Chance, Σp², is what the partition's sizes " +
			"would keep if each crawler fetched the share of all pages that it owns. By load, Σfp, is the same with " +
			"the shares that they did fetch, f. True topics: in place of the labels. Permuted labels, rewired links " +
			"and exchange off are the red controls.",
		Columns: strings.Split("locality|kept %|true topics %|permuted %|its chance %|its chance by load %|rewired %|"+
			"its chance %|its chance by load %|by one %|exchange off: by one %", "|")}
	return held, controls
}

// simulated is what a simulation comes to, counted as the crawl is: the matrix has the seeds, and
// what gets no answer is not fetched.
type simulated struct {
	matrix  [][]int
	by      []int
	givenUp int
	figures sim.Figures
}

// simulate crawls a Web by some owners, and counts who fetched what of the pages that counted says.
func (l *lab) simulate(x *crawl, on *web.Web, owners, counted sim.Owners) (*simulated, error) {
	log, err := (&sim.Crawl{Web: on, Partition: sim.Partition{Name: "topic", Pages: owners}, Seeds: x.seeds,
		Exchange: l.Crawl.Exchange}).Run()
	if err != nil {
		return nil, err
	}
	answered := log.Where(func(e sim.Event) bool { return on.Pages[e.Page].Status != 0 })
	s := &simulated{figures: answered.Figures()}
	s.by, s.givenUp = s.figures.By, log.Figures().Fetches-s.figures.Fetches
	for range x.nodes {
		s.matrix = append(s.matrix, make([]int, len(x.nodes)))
	}
	for _, e := range answered.Events {
		if e.Kind == sim.Fetched && counted[e.Page] != sim.Anyone {
			s.matrix[e.Crawler][counted[e.Page]]++
		}
	}
	return s, nil
}

// against adds the rows of a crawl.
func (l *lab) against(held, controls *draw.Table, locality float64, x *crawl) error {
	owners, truth := x.owners(), x.truth()
	crawl, err := l.simulate(x, x.web, x.sentTo(owners), owners)
	if err != nil {
		return err
	}
	byTruth, err := l.simulate(x, x.web, x.sentTo(truth), truth)
	if err != nil {
		return err
	}
	off, err := l.simulate(x, x.web, nil, owners)
	if err != nil {
		return err
	}
	held.Add(l.heldRow(locality, x, crawl)...)
	var draws []*draw.Table
	for i := range l.Draws {
		of := *l
		of.draw = i
		random := of.random(fmt.Sprint("crawls", locality))
		permuted := sim.Permuted(owners, random)
		a, err := l.simulate(x, x.web, x.sentTo(permuted), permuted)
		if err != nil {
			return err
		}
		b, err := l.simulate(x, x.web.Rewired(random), x.sentTo(owners), owners)
		if err != nil {
			return err
		}
		one := &draw.Table{Name: controls.Name}
		one.Add(fmt.Sprint(locality), draw.Percent(diagonal(crawl.matrix)), draw.Percent(diagonal(byTruth.matrix)),
			draw.Percent(diagonal(a.matrix)), draw.Percent(a.figures.Pages.Chance),
			draw.Percent(a.figures.Pages.ByLoad),
			draw.Percent(diagonal(b.matrix)), draw.Percent(b.figures.Pages.Chance),
			draw.Percent(b.figures.Pages.ByLoad),
			draw.Percent(upTo(crawl.by, 1)), draw.Percent(upTo(off.by, 1)))
		draws = append(draws, one)
	}
	all, err := draw.TableOver(draws, 0)
	if err != nil {
		return err
	}
	controls.Rows = append(controls.Rows, all.Rows...)
	return nil
}

// heldRow is a crawl beside its simulation.
func (l *lab) heldRow(locality float64, x *crawl, s *simulated) []string {
	matrix, by := x.matrix(), x.by()
	urls, fetches, givenUp := 0, int64(0), 0
	var sent, fetched int64
	for i, st := range x.status {
		fetches += st.Records("pages")
		fetched += st.Count("fetch", "bytes")
		sent += st.Count("gofer", "bytes")
		givenUp += x.givenUp[i]
		urls += by[i]
	}
	offMatrix, offBy := apart(matrix, s.matrix), apart([][]int{by}, [][]int{s.by})
	return []string{fmt.Sprint(locality), fmt.Sprint(urls), fmt.Sprint(fetches), fmt.Sprint(s.figures.Fetches),
		fmt.Sprint(givenUp), fmt.Sprint(s.givenUp),
		draw.Percent(diagonal(matrix)), draw.Percent(diagonal(s.matrix)), draw.Percent(upTo(by, 1)),
		draw.Percent(upTo(s.by, 1)),
		draw.Percent(upTo(by, 2)), draw.Percent(upTo(s.by, 2)), draw.Number(float64(sent)/float64(fetched), 3),
		draw.Number(100*offMatrix, 2), draw.Number(100*offBy, 2),
		yes(offMatrix <= l.Synthetic.Within && offBy <= l.Synthetic.Within)}
}
