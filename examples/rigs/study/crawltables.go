package main

import (
	"fmt"
	"strings"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// tables shows a crawl as the thesis shows its own: table 5.1, figures 5.2 to 5.6, appendices A to
// C, and from English to foreign.
func (x *crawl) tables(c *results.Chapter) {
	t := &draw.Table{Name: "crawls-nodes", Title: "Each crawler (thesis: table 5.1, figures 5.1 to 5.4 and 5.6)",
		Note: fmt.Sprintf("The crawl took %.0f s on a machine that did other things, too. Empty: no answer. "+
			"Invalid: no 2xx. KB of these: bytes of no text, short and invalid. Execution: seconds of processor of "+
			"all its stages. KB/s: bytes fetched over the time of the crawl.", x.seconds),
		Columns: strings.Split("crawler|fetched|MB|empty|no text|short|invalid|KB of these|not classified %|kept %|"+
			"brought in|execution s|KB/s", "|")}
	matrix := x.matrix()
	var sum [6]int64
	for i, node := range x.nodes {
		s := x.status[i]
		empty := int64(x.givenUp[i])
		fetched, bytes := s.Records("pages"), s.Count("fetch", "bytes")
		noText, short, invalid := s.Count("pages", "no-text"), s.Count("pages", "short"), s.Count("pages", "invalid")
		little := s.Count("pages", "no-text-bytes") + s.Count("pages", "short-bytes") +
			s.Count("pages", "invalid-bytes")
		for k, n := range []int64{fetched + empty, bytes, empty, noText, short, invalid} {
			sum[k] += n
		}
		t.Add(node, fmt.Sprint(fetched), draw.Number(float64(bytes)/1e6, 2), fmt.Sprint(empty), fmt.Sprint(noText),
			fmt.Sprint(short), fmt.Sprint(invalid), draw.Number(float64(little)/1e3, 0),
			draw.Percent(float64(empty+noText+short+invalid)/float64(fetched+empty)),
			draw.Percent(shares(matrix[i])[i]), fmt.Sprint(s.Records("gofer")),
			draw.Number(s.CPU(), 1), draw.Number(float64(bytes)/1e3/x.seconds, 1))
	}
	c.Table(t)
	c.Say("Of all that was asked for %s %% could not be classified (empty, without text, short or invalid). The web "+
		"saw at most %d connections to a host and %d requests at once; the least gap between two was %.3f s (%s).",
		draw.Percent(float64(sum[2]+sum[3]+sum[4]+sum[5])/float64(sum[0])), x.treated.Connections.Most,
		x.treated.Requests.Most, x.treated.Gap.Seconds, x.treated.Gap.Host)
	c.Matrix(&draw.Matrix{Name: "crawls-matrix", Title: "From crawler to crawler, % of row; the crawl", Names: x.nodes,
		Counts: matrix})
	c.Matrix(&draw.Matrix{Name: "crawls-bytes", Title: "What the gofers brought in bytes, % of row; the crawl",
		Names: x.nodes, Counts: x.bytes()})
	x.byCrawlers(c)
	x.languages(c, matrix)
}

func (x *crawl) byCrawlers(c *results.Chapter) {
	by := x.by()
	t := &draw.Table{Name: "crawls-by", Title: "URLs fetched by exactly k crawlers (thesis, figure 5.5)",
		Columns: []string{"k", "URLs", "%"}}
	for k, n := range by {
		t.Add(fmt.Sprint(k+1), fmt.Sprint(n), draw.Percent(shares(by)[k]))
	}
	c.Table(t)
}

// languages is the transfer between English and foreign crawlers (thesis 5.2.4).
func (x *crawl) languages(c *results.Chapter, matrix [][]int) {
	world := len(x.nodes) - 1
	out, all := 0, 0
	for i, row := range matrix[:world] {
		for _, n := range row {
			all += n
		}
		out += matrix[i][world]
	}
	back := 1 - shares(matrix[world])[world]
	c.Say("Of the classifiable pages that the English crawlers fetched %s %% were foreign; of those that %s fetched "+
		"%s %% were English.",
		draw.Percent(float64(out)/float64(all)), x.nodes[world], draw.Percent(back))
}
