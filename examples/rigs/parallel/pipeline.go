package main

import (
	"fmt"
	"slices"
	"strings"

	"multitext/examples/rigs/internal/advised"
	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// A mode is what crawlers do with links of others: one of the paper's.
type mode struct {
	name   string
	by     string // the partition, as the script and advise have it
	others string // likewise; but that links are sent later advise has not
	known  int    // so many popular URLs all crawlers know
}

func (l *lab) modes() []mode {
	return []mode{{"independent", nobody, "", 0}, {"firewall", bySite, "drop", 0}, {"cross-over", bySite, aside, 0},
		{"exchange", bySite, "", 0}, {"exchange, in batches", bySite, later, 0},
		{"exchange, replicated", bySite, "", l.Pipeline.Known}}
}

// Values of the script: no page is another's; links of others are set aside, or sent later.
const nobody, aside, later = "none", "aside", "later"

// vars are those of the script.
func (m mode) vars() []string {
	vars := []string{"links_by=" + m.by}
	if m.others != "" {
		vars = append(vars, "others="+m.others, "every=2s")
	}
	return vars
}

// part is the small Web that managers crawl: one title of the code of laws.
func (l *lab) part() (*named, error) {
	if l.small != nil {
		return l.small, nil
	}
	if err := l.readWebs(); err != nil {
		return nil, err
	}
	law := l.webs[slices.IndexFunc(l.webs, func(on *named) bool { return on.name == lawWeb })]
	var pages []int
	for page := range law.Pages {
		if law.Pages[page].Label == l.Pipeline.Title {
			pages = append(pages, page)
		}
	}
	l.small = newNamed("title "+l.Pipeline.Title, law.Part(pages))
	return l.small, nil
}

// pipeline holds crawls by managers against the simulation.
func (l *lab) pipeline(c *results.Chapter) error {
	if l.bin == "" {
		return errNoPrograms
	}
	on, err := l.part()
	if err != nil {
		return err
	}
	seeds := first(l.seeds(on, 0), l.Pipeline.Seeds)
	m, err := l.newManaged(on, [][]uint32{seeds})
	if err != nil {
		return err
	}
	defer m.close()
	known := first(l.popular(on, earlier), l.Pipeline.Known)
	if err := m.List(knownFile, known); err != nil {
		return err
	}
	t := &draw.Table{Name: "pipeline", Title: "Crawls by managers beside the simulation, " + on.name,
		Note: fmt.Sprintf("%d pages on %d hosts, %d seeds. Behind each figure of the managers stands that of the "+
			"simulation. Fetched: by all, a page as often as it was. Same pages: whether each manager has fetched "+
			"the pages that its crawler fetches in the simulation, each once. Links to others: those that were "+
			"found, each as often as it was. Sent: URLs, each once by a crawler. In batches: every 2 s. "+
			"Replicated: %d URLs are known to all. Simulated by URL, the control: the simulation parts the pages so.",
			len(on.Pages), len(on.hosts()), len(seeds), len(known)),
		Columns: []string{"managers", "mode", "fetched", "simulated", "different", "simulated", "same pages",
			"links to others", "simulated", "sent", "simulated", "dropped", "simulated"}}
	var rows []*[][]string
	var things []func() error
	for _, n := range l.Pipeline.Managers {
		for _, mode := range l.modes() {
			if mode.by == nobody && n != l.Pipeline.Managers[0] {
				continue // none of them is concerned with how many they are
			}
			some := new([][]string)
			rows = append(rows, some)
			things = append(things, func() (err error) {
				if *some, err = m.beside(mode, n, seeds); err != nil {
					err = fmt.Errorf("%s of %d: %w", mode.name, n, err)
				}
				return err
			})
		}
	}
	if err := advised.Together(things...); err != nil {
		return err
	}
	for _, some := range rows {
		t.Rows = append(t.Rows, *some...)
	}
	c.Table(t)
	return nil
}

// knownFile has the URLs that all crawlers know.
const knownFile = "known"

// dealt are the seeds of each crawler: its own, or where nobody owns pages dealt out in turn.
func (m *managed) dealt(by string, crawlers int, seeds []uint32) ([][]uint32, error) {
	of := make([][]uint32, crawlers)
	for i, seed := range seeds {
		owner := i % crawlers
		if by != nobody {
			owners, err := m.ownersOf(m.on, by, crawlers)
			if err != nil {
				return nil, err
			}
			owner = int(owners[seed])
		}
		of[owner] = append(of[owner], seed)
	}
	return of, nil
}

// beside is the row of a crawl beside its simulation; that of exchange has the control behind it.
func (m *managed) beside(mode mode, crawlers int, seeds []uint32) (rows [][]string, err error) {
	of, err := m.dealt(mode.by, crawlers, seeds)
	if err != nil {
		return nil, err
	}
	vars := mode.vars()
	if mode.known > 0 {
		vars = append(vars, "replicated="+m.Path(knownFile))
		for i := range of {
			of[i] = append(of[i], first(m.popular(m.on, earlier), mode.known)...)
		}
	}
	real, err := m.crawl(of, edit{}, vars...)
	if err != nil {
		return nil, err
	}
	row, err := m.against(real, crawlers, mode)
	if rows = append(rows, row); err != nil || mode.by == nobody || mode.others != "" || mode.known > 0 {
		return rows, err
	}
	mode.name, mode.by = mode.name+", simulated by URL", byURL
	row, err = m.against(real, crawlers, mode)
	return append(rows, row), err
}

// against is the row of a crawl beside a simulation.
func (m *managed) against(real *crawled, crawlers int, mode mode) ([]string, error) {
	t := advised.Trial{Batch: m.Batch, Crawlers: crawlers, By: mode.by, Others: strings.TrimPrefix(mode.others, later)}
	if mode.known > 0 {
		t.Replicated = knownFile
	}
	simulated, sent := make([][]uint32, crawlers), advised.Counts{}
	err := m.Run(t, []string{"breadth"}, []int{0}, func(_ int, _ string, c *advised.Crawl) {
		for i, page := range c.Pages {
			simulated[c.By[i]] = append(simulated[c.By[i]], page)
		}
		sent = c.Sent
	})
	if err != nil {
		return nil, err
	}
	urls, dropped, ended := 0, 0, -mode.known*(crawlers-1) // the seeds of others are replicated, too, and end
	for _, one := range real.Crawlers {
		urls, dropped, ended = urls+one.URLsSent, dropped+one.Dropped, ended+one.SentBefore+one.Replicated
	}
	links := []string{fmt.Sprint(urls + dropped + ended), fmt.Sprint(sent.Each + sent.Dropped + sent.Replicated)}
	if mode.others == aside {
		links = []string{"–", "–"} // of those that are set aside only the first is followed, and none is counted
	}
	row := []string{fmt.Sprint(crawlers), mode.name, fmt.Sprint(len(slices.Concat(real.pages...))),
		fmt.Sprint(len(slices.Concat(simulated...))), fmt.Sprint(different(real.pages)),
		fmt.Sprint(different(simulated)), yes(samePages(real.pages, simulated))}
	return append(append(row, links...), fmt.Sprint(urls), fmt.Sprint(sent.Ever), fmt.Sprint(dropped),
		fmt.Sprint(sent.Dropped)), nil
}

// yes says yes or no.
func yes(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}

// different is how many pages some crawlers have fetched, each counted once.
func different(of [][]uint32) int {
	pages := slices.Concat(of...)
	slices.Sort(pages)
	return len(slices.Compact(pages))
}

// samePages tells whether each crawler has the same pages in two crawls, each as often.
func samePages(a, b [][]uint32) bool {
	return slices.EqualFunc(a, b, func(a, b []uint32) bool {
		return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
	})
}
