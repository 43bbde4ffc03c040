package sim

import (
	"math/rand/v2"
	"slices"
)

// Interval is where the share of pages kept lies with the given probability, by bootstrap over the
// groups of the pages that were fetched: of all groups as many are drawn, with replacement, and the
// share is computed of these.
func (l *Log) Interval(draws int, probability float64, random *rand.Rand) (low, high float64) {
	type count struct{ kept, all int }
	at := make(map[string]int)
	var groups []count
	p := &l.crawl.Partition
	for _, e := range l.Events {
		owner := p.topic(e.Page)
		if e.Kind != Fetched || e.Parent == None || owner == Anyone {
			continue
		}
		name := l.crawl.Web.Pages[e.Page].Group
		i, ok := at[name]
		if !ok {
			i = len(groups)
			at[name] = i
			groups = append(groups, count{})
		}
		groups[i].all++
		if owner == e.Crawler {
			groups[i].kept++
		}
	}
	shares := make([]float64, draws)
	for d := range shares {
		var sum count
		for range groups {
			g := groups[random.IntN(len(groups))]
			sum.kept, sum.all = sum.kept+g.kept, sum.all+g.all
		}
		shares[d] = float64(sum.kept) / float64(sum.all)
	}
	slices.Sort(shares)
	tail := (1 - probability) / 2 * float64(draws-1)
	return shares[int(tail+0.5)], shares[draws-1-int(tail+0.5)]
}
