package main

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/sets"
	"multitext/examples/rigs/internal/web"
)

// orders has the adviser crawl each Web in every order, and shows which share of the hottest pages is
// found by which share of the crawl.
func orders(l *lab, c *results.Chapter) error {
	if l.bin == "" {
		return fmt.Errorf("the programs are missing: give -bin: %w", fs.ErrNotExist)
	}
	c.Say("Crawls that are simulated with the packages of the frontier (program advise), without politeness, from %d pages "+
		"drawn by lot, or one of each host where there are more hosts. The hottest pages are those to which most pages of the whole Web link; of these, those that can be "+
		"reached from the seeds count. The oracle knows them.", l.Seeds)
	laws, err := sets.Law16(l.data)
	if err != nil {
		return err
	}
	kb, err := sets.WebKB(l.data, false)
	if err != nil {
		return err
	}
	sites, err := sets.Sites(l.data)
	if err != nil {
		return err
	}
	cited, _ := laws.Sections(laws.Cited)
	for _, on := range []struct {
		name string
		web  *web.Web
	}{{"41 sites", sites}, {"law16, citations", cited}, {"law16, all links", laws.Web}, {"webkb", kb.Web}} {
		err := l.over(c, func(l *lab, c *results.Chapter) error { return l.inOrders(c, on.name, on.web) })
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

// inOrders makes the tables and pictures of one Web, of one draw.
func (l *lab) inOrders(c *results.Chapter, name string, on *web.Web) error {
	random := l.random("seeds of " + name)
	seeds := l.orderSeeds(on, random)
	byBatch, rewired, err := l.adviseOn(on, on.Rewired(random), seeds)
	if err != nil {
		return err
	}
	file := "orders-" + strings.NewReplacer(" ", "-", ",", "").Replace(name)
	l.foundTable(c, file, fmt.Sprintf("%s: %d pages, %d links", name, len(on.Pages), on.Links()), byBatch[l.Shown], rewired,
		100*float64(reached(on, seeds))/float64(len(on.Pages)))
	l.batchTable(c, file+"-batches", name, byBatch)
	for _, share := range l.Hottest {
		c.Chart(byBatch[l.Shown].chart(share, fmt.Sprintf("%s-%g", file, share),
			fmt.Sprintf("%s: the hottest %g %%, batches of %d", name, share, l.Shown)))
	}
	return nil
}

// orderSeeds are the first of the pages in an order by lot; or the first of each host, where there are
// more hosts.
func (l *lab) orderSeeds(on *web.Web, random *rand.Rand) []int {
	all, hosts, first := random.Perm(len(on.Pages)), map[string]bool{}, []int(nil)
	for _, page := range all {
		if host := on.Pages[page].Host; !hosts[host] {
			hosts[host] = true
			first = append(first, page)
		}
	}
	if len(first) > l.Seeds {
		return first
	}
	return all[:l.Seeds]
}

// adviseOn has the adviser crawl a Web, in batches of each size, and the same with other links; as
// many programs run at once as there are processors.
func (l *lab) adviseOn(on, rewired *web.Web, seeds []int) (byBatch map[int]curves, other curves, err error) {
	a, errOn := l.adviser(on, seeds)
	b, errOther := l.adviser(rewired, seeds)
	if err := errors.Join(errOn, errOther); err != nil {
		return nil, nil, err
	}
	defer a.close()
	defer b.close()
	results, errs := make([]curves, len(l.Batches)), make([]error, len(l.Batches)+1)
	var all sync.WaitGroup
	free := make(chan bool, runtime.NumCPU())
	start := func(do func()) {
		all.Go(func() {
			free <- true
			do()
			<-free
		})
	}
	for i, batch := range l.Batches {
		start(func() { results[i], errs[i] = a.curves(batch, l.Hottest) })
	}
	start(func() { other, errs[len(results)] = b.curves(l.Shown, []float64{l.Priced}) })
	all.Wait()
	byBatch = map[int]curves{}
	for i, batch := range l.Batches {
		byBatch[batch] = results[i]
	}
	return byBatch, other, errors.Join(errs...)
}

// reached is how many pages can be reached from the seeds.
func reached(on *web.Web, seeds []int) int {
	met, waiting := map[int]bool{}, seeds
	for len(waiting) > 0 {
		page := waiting[0]
		waiting = waiting[1:]
		if !met[page] {
			met[page] = true
			waiting = append(waiting[:len(waiting):len(waiting)], on.Pages[page].Links...)
		}
	}
	return len(met)
}

// foundTable shows what was found at the points, for each order and share of the hottest.
func (l *lab) foundTable(c *results.Chapter, file, title string, shown, rewired curves, reached float64) {
	t := &draw.Table{Name: file, Title: "Found of the hottest pages, " + title,
		Note: fmt.Sprintf("Batches of %d pages. Found %% of the hottest when so many per cent of the pages that can be reached "+
			"are fetched, and at which per cent half of them are found. Rewired: the targets of all links are shuffled.", l.Shown),
		Columns: []string{"hottest %", "order"}}
	for _, point := range l.Points {
		t.Columns = append(t.Columns, fmt.Sprintf("at %d %%", point))
	}
	t.Columns = append(t.Columns, "half found at %", "reached %")
	row := func(share, name string, of curve) {
		cells := []string{share, name}
		for _, point := range l.Points {
			cells = append(cells, draw.Number(of.found[point], 1))
		}
		t.Add(append(cells, fmt.Sprint(of.half()), draw.Number(reached, 1))...)
	}
	for _, share := range l.Hottest {
		for _, of := range shown.of(share) {
			row(fmt.Sprint(share), of.order, of)
		}
	}
	for _, of := range rewired {
		row(fmt.Sprint(l.Priced), of.order+", rewired", of)
	}
	c.Table(t)
}

// batchTable shows at which share of the crawl half of the hottest are found, by the size of batches.
func (l *lab) batchTable(c *results.Chapter, file, name string, by map[int]curves) {
	t := &draw.Table{Name: file, Title: "The price of batches, " + name,
		Note: fmt.Sprintf("Per cent of the pages that can be reached at which half of the hottest %g %% are found, by the number of "+
			"pages in a batch: their links are known when the whole batch is fetched.", l.Priced),
		Columns: []string{"order"}}
	for _, batch := range l.Batches {
		t.Columns = append(t.Columns, fmt.Sprint(batch))
	}
	for i, of := range by[l.Batches[0]].of(l.Priced) {
		cells := []string{of.order}
		for _, batch := range l.Batches {
			cells = append(cells, fmt.Sprint(by[batch].of(l.Priced)[i].half()))
		}
		t.Add(cells...)
	}
	c.Table(t)
}
