package main

import (
	"encoding/json"
	"fmt"
	"os"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
)

// A seen is how testweb saw that it was treated.
type seen struct {
	Gap, Pace             struct{ Seconds float64 }
	Connections, Requests struct{ Most int }
}

// noTurns is the mode of the control.
const noTurns = "independent, no turns"

// polite shows how several crawlers ask one host, in each mode.
func (l *lab) polite(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	on := newNamed("one host", tree(l.Polite.Pages))
	t := &draw.Table{Name: "polite", Title: "One host, asked by several crawlers",
		Note: fmt.Sprintf("%d managers crawl a host of %d pages with a delay of %d ms, as the host saw them. "+
			"Asking: how many of them fetch from it. Fetched: pages, each as often as it was. The least gap is "+
			"from the end of an answer to the next request, and the least pace from request to request, robots.txt "+
			"left out; connections and requests: the most at once. Kept: requests are half a delay apart at least, "+
			"which is what turns by the clock promise. The last row is the control: fetch does not know of the "+
			"others.", l.Polite.Managers, l.Polite.Pages,
			l.Polite.Delay),
		Columns: []string{"mode", "partition", "asking", "fetched", "least gap, ms", "least pace, ms",
			"connections", "requests", "kept"}}
	asked := []mode{{"exchange", bySite, "", 0}, {"exchange", byURL, "", 0}, {"firewall", byURL, "drop", 0},
		{"cross-over", byURL, aside, 0}, {"independent", nobody, "", 0}, {noTurns, nobody, "", 0}}
	t.Rows = make([][]string, len(asked))
	var things []func() error
	for i, mode := range asked {
		things = append(things, func() (err error) {
			if t.Rows[i], err = l.asked(on, mode); err != nil {
				err = fmt.Errorf("%s by %s: %w", mode.name, mode.by, err)
			}
			return err
		})
	}
	if err := advised.Together(things...); err != nil {
		return err
	}
	c.Table(t)
	return nil
}

// tree is a host where page i links to pages 2i+1 and 2i+2, and to the first.
func tree(pages int) *web.Web {
	w := &web.Web{}
	for i := range pages {
		p := web.Page{Host: "s0.test"}
		for _, to := range []int{2*i + 1, 2*i + 2, 0} {
			if to < pages && to != i {
				p.Links = append(p.Links, to)
			}
		}
		w.Pages = append(w.Pages, p)
	}
	return w
}

// asked is the row of a crawl.
func (l *lab) asked(on *named, mode mode) ([]string, error) {
	account, err := os.CreateTemp("", "parallel-*.json")
	if err != nil {
		return nil, fmt.Errorf("make a file for what the web saw: %w", err)
	}
	account.Close()
	os.Remove(account.Name())
	defer os.Remove(account.Name())
	m, err := l.newManaged(on, nil, "-stats", account.Name())
	if err != nil {
		return nil, err
	}
	real, err := m.askedBy(mode)
	m.close()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(account.Name())
	var saw seen
	if err == nil {
		err = json.Unmarshal(text, &saw)
	}
	if err != nil {
		return nil, fmt.Errorf("read what the web saw: %w", err)
	}
	asking, fetched := 0, 0
	for _, pages := range real.pages {
		if fetched += len(pages); len(pages) > 0 {
			asking++
		}
	}
	return []string{mode.name, mode.by, fmt.Sprint(asking), fmt.Sprint(fetched), draw.Number(1000*saw.Gap.Seconds, 0),
		draw.Number(1000*saw.Pace.Seconds, 0),
		fmt.Sprint(saw.Connections.Most), fmt.Sprint(saw.Requests.Most),
		yes(2000*saw.Pace.Seconds >= float64(l.Polite.Delay))}, nil
}

// askedBy crawls; each crawler has seeds.
func (m *managed) askedBy(mode mode) (*crawled, error) {
	seeds, err := m.dealt(mode.by, m.Polite.Managers, first(m.seeds(m.on, 0), 2*m.Polite.Managers))
	if err != nil {
		return nil, err
	}
	var script edit
	if mode.name == noTurns { // fetch does not know of the others
		script = edit{" -nodes {nodes} -node {node} -delay", " -delay"}
	}
	return m.crawl(seeds, script, append(mode.vars(), fmt.Sprintf("delay=%dms", m.Polite.Delay))...)
}
