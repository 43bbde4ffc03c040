package main

import (
	"fmt"
	"math"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/study/internal/sim"
)

// tables are those with a row for each partition and point of the crawl: what is kept, and what it
// takes.
func (l *lab) tables(name string) (kept, rest *draw.Table) {
	kept = &draw.Table{Name: name + "-kept", Title: "What is kept, along " + name,
		Note: "Pr^P (definition 3.1.2) is of pages fetched by a link: kept by the crawler that fetched them; by page " +
			"(micro), the mean of the crawlers (macro), of pages that the classifier was not trained on (unseen), " +
			"and of those whose parent it was not trained on, either (both unseen). The interval is by bootstrap " +
			"over chapters. Pr^U (3.1.1) is of links: followed by the crawler that found them. Chance is Σp² of the " +
			"partition's sizes among what was met, r = (kept − chance)/(1 − chance). By load is Σfp, f being the " +
			"shares that the crawlers did fetch: what owners dealt out at random would keep.",
		Columns: strings.Split("partition|% crawled|Pr^P %|interval from|to|macro %|unseen %|both unseen %|chance %|"+
			"by load %|r|Pr^U %|Pr^U macro %|Pr^U chance %|Pr^U r", "|")}
	rest = &draw.Table{Name: name + "-load", Title: "Duplication, traffic and load, along " + name,
		Note: "By one, by two at most: share of the URLs fetched by so many crawlers. Again: fetches of a URL after " +
			"its first, by URL. Held twice: share of the contents that more than one crawler holds. Sent: bytes sent " +
			"to other crawlers by byte fetched. Load: the most pages that a crawler fetched, and took for its own, " +
			"over the mean.",
		Columns: strings.Split("partition|% crawled|URLs|fetches|by one %|by two at most %|again|held twice %|sent|"+
			"load, fetched|load, taken", "|")}
	return kept, rest
}

func (l *lab) keptRow(p sim.Partition, point int, log *sim.Log, trained []bool, f *sim.Figures) []string {
	low, high := math.NaN(), math.NaN()
	if p.ContentOriented() {
		low, high = log.Interval(l.Crawl.Bootstrap, l.Crawl.Interval, l.random("bootstrap"))
	}
	unseen := log.Where(func(e sim.Event) bool { return !trained[e.Page] })
	both := unseen.Where(func(e sim.Event) bool { return e.Parent == sim.None || !trained[e.Parent] })
	return []string{p.Name, fmt.Sprint(point), draw.Percent(f.Pages.Micro), draw.Percent(low), draw.Percent(high),
		draw.Percent(f.Pages.Macro),
		draw.Percent(unseen.Figures().Pages.Micro), draw.Percent(both.Figures().Pages.Micro),
		draw.Percent(f.Pages.Chance), draw.Percent(f.Pages.ByLoad), draw.Number(f.Pages.R, 3),
		draw.Percent(f.Links.Micro), draw.Percent(f.Links.Macro), draw.Percent(f.Links.Chance),
		draw.Number(f.Links.R, 3)}
}

func loadRow(name string, point int, f *sim.Figures) []string {
	return []string{name, fmt.Sprint(point), fmt.Sprint(f.URLs), fmt.Sprint(f.Fetches), draw.Percent(f.AtMost(1)),
		draw.Percent(f.AtMost(2)),
		draw.Number(f.Again, 3), draw.Percent(f.Copies), draw.Number(f.Sent, 3), draw.Number(f.Fetched, 2),
		draw.Number(f.Held, 2)}
}

// byCrawlers tells which share of the URLs was fetched by exactly k crawlers (thesis, figure 5.5).
func byCrawlers(c *results.Chapter, name string, ways []sim.Partition, logs []*sim.Log) {
	t := &draw.Table{Name: name + "-by", Title: "URLs fetched by exactly k crawlers in the end, in %, along " + name,
		Columns: []string{"partition"}}
	chart := &draw.Chart{Name: name + "-by", Title: "URLs fetched by exactly k crawlers, along " + name, X: "k",
		Y: "URLs", Log: true}
	for i, p := range ways {
		f := logs[i].Figures()
		row, line := []string{p.Name}, draw.Line{Name: p.Name}
		for k, n := range f.By {
			row = append(row, draw.Number(100*float64(n)/float64(f.URLs), 2))
			line.X, line.Y = append(line.X, float64(k+1)), append(line.Y, float64(n))
		}
		t.Add(row...)
		if p.Pages != nil && p.URLs == nil {
			chart.Lines = append(chart.Lines, line)
		}
	}
	for k := range len(t.Rows[0]) - 1 {
		t.Columns = append(t.Columns, fmt.Sprint(k+1))
	}
	c.Table(t)
	c.Chart(chart)
}

// byTitle tells what each crawler keeps (thesis, figure 5.4).
func byTitle(c *results.Chapter, name string, titles []string, ways []sim.Partition, logs []*sim.Log) {
	t := &draw.Table{Name: name + "-titles", Title: "Kept by each crawler in the end, in %, along " + name,
		Columns: append([]string{"title"}, titles...)}
	for i, p := range ways {
		row := []string{p.Name}
		f := logs[i].Figures()
		for crawler, to := range f.Pages.Matrix {
			sum := 0
			for _, n := range to {
				sum += n
			}
			row = append(row, draw.Number(100*float64(to[crawler])/float64(sum), 1))
		}
		t.Add(row...)
	}
	c.Table(t)
}
