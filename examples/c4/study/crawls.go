package main

import (
	"fmt"
	"io/fs"
	"math"
	"strings"

	"multitext/examples/c4/study/internal/crawled"
	"multitext/examples/c4/study/internal/draw"
	"multitext/examples/c4/study/internal/sim"
	"multitext/examples/c4/study/internal/web"
)

// crawls lets the sixteen crawlers of examples/c4 crawl topical webs of different locality, and holds what came of it
// against a simulation over the web's links and the labels that the crawl gave.
func crawls(l *lab, c *chapter) error {
	if l.bin == "" {
		return fmt.Errorf("without -bin there are no programs to crawl with: %w", fs.ErrNotExist)
	}
	c.say("Crawls of %d pages that testweb invents: a test of the machinery, and no evidence. The simulation knows the links that testweb "+
		"prints, the seeds, and of the crawl the labels alone.", l.Synthetic.Pages)
	t := &draw.Table{Name: "crawls", Title: "Crawls and their simulation, by locality",
		Note: fmt.Sprintf("Kept: share of the classifiable pages that the crawler which fetched them kept, seeds with the others. Permuted, rewired, exchange off: the simulation's red controls. "+
			"Off by: the greatest distance of a share of the crawl from the simulation's, in points: of each crawler's pages that go to each other, and of the URLs fetched by exactly k; "+
			"at most %.1f is wanted.", 100*l.Synthetic.Within),
		Columns: strings.Split("locality|URLs|fetches|kept %|simulated %|by true topic %|permuted %|rewired %|chance %|by one %|simulated %|by two at most %|simulated %|exchange off: by one %|sent|off by, matrix|off by, k|holds", "|")}
	for _, locality := range l.Synthetic.Localities {
		x, err := l.collaborate(locality)
		if err != nil {
			return fmt.Errorf("locality %g: %w", locality, err)
		}
		if err := l.against(t, locality, x); err != nil {
			return err
		}
		if locality == l.Synthetic.Shown {
			x.tables(c)
		}
	}
	c.table(t)
	return nil
}

// A crawl is a collaboration that has come to its end.
type crawl struct {
	web      *web.Web
	nodes    []string
	seeds    [][]int
	status   []*crawled.Status
	archives []*crawled.Archive
	labels   map[string]string // by URL
	seconds  float64           // that it took
	treated  manners
}

// matrix is how many pages each crawler has classified for each, as their managers count.
func (x *crawl) matrix() [][]int {
	var m [][]int
	for _, s := range x.status {
		var row []int
		for _, to := range x.nodes {
			row = append(row, int(s.Count("pages", "label-"+labelOf(to))))
		}
		m = append(m, row)
	}
	return m
}

// labelOf is the label whose pages a node owns, in examples/c4/nodes.toml.
func labelOf(node string) string {
	if node == "world" {
		return "foreign"
	}
	return node
}

// by is how many URLs were fetched by exactly k crawlers: each fetch is an answer in one archive.
func (x *crawl) by() []int {
	count := make(map[string]int)
	for _, a := range x.archives {
		for url, n := range a.Answers {
			count[url] += n
		}
	}
	by := make([]int, len(x.nodes))
	for _, n := range count {
		by[min(n, len(by))-1]++
	}
	return by
}

// owners are who owns each page, by the labels of the crawl; without one a page is anyone's.
func (x *crawl) owners() sim.Owners {
	var labels, of []string
	for _, node := range x.nodes {
		labels = append(labels, labelOf(node))
	}
	for i := range x.web.Pages {
		of = append(of, x.labels[x.web.Pages[i].URL])
	}
	return sim.ByLabel(labels, of)
}

// simulated is what a simulation comes to, counted as the crawl is: the matrix has the seeds, and what gets no answer is not fetched.
type simulated struct {
	matrix  [][]int
	by      []int
	figures sim.Figures
}

func (l *lab) simulate(x *crawl, on *web.Web, owners, by sim.Owners) (*simulated, error) {
	log, err := (&sim.Crawl{Web: on, Partition: sim.Partition{Name: "topic", Pages: owners}, Seeds: x.seeds, Exchange: l.Crawl.Exchange}).Run()
	if err != nil {
		return nil, err
	}
	answered := log.Where(func(e sim.Event) bool { return on.Pages[e.Page].Status != 0 })
	s := &simulated{figures: answered.Figures()}
	s.by = s.figures.By
	for range x.nodes {
		s.matrix = append(s.matrix, make([]int, len(x.nodes)))
	}
	for _, e := range answered.Events {
		if o := by; e.Kind == sim.Fetched && o[e.Page] != sim.Anyone {
			s.matrix[e.Crawler][o[e.Page]]++
		}
	}
	return s, nil
}

// against adds the row of a crawl.
func (l *lab) against(t *draw.Table, locality float64, x *crawl) error {
	owners := x.owners()
	random := l.random(fmt.Sprint("crawls", locality))
	permuted, rewired := sim.Permuted(owners, random), x.web.Rewired(random)
	truth := x.truth()
	var s [5]*simulated
	for i, run := range []struct {
		on     *web.Web
		owners sim.Owners
	}{{x.web, owners}, {x.web, truth}, {x.web, permuted}, {rewired, owners}, {x.web, nil}} {
		counted := run.owners
		if counted == nil {
			counted = owners
		}
		var err error
		if s[i], err = l.simulate(x, run.on, run.owners, counted); err != nil {
			return err
		}
	}
	matrix, by := x.matrix(), x.by()
	urls, fetches := 0, int64(0)
	var sent, fetched int64
	for i, st := range x.status {
		fetches += st.Records("pages")
		fetched += st.Count("fetch", "bytes")
		sent += st.Count("gofer", "bytes")
		urls += by[i]
	}
	offMatrix, offBy := apart(matrix, s[0].matrix), apart([][]int{by}, [][]int{s[0].by})
	t.Add(fmt.Sprint(locality), fmt.Sprint(urls), fmt.Sprint(fetches), draw.Percent(diagonal(matrix)), draw.Percent(diagonal(s[0].matrix)),
		draw.Percent(diagonal(s[1].matrix)), draw.Percent(diagonal(s[2].matrix)), draw.Percent(diagonal(s[3].matrix)), draw.Percent(s[0].figures.Pages.Chance),
		draw.Percent(upTo(by, 1)), draw.Percent(upTo(s[0].by, 1)), draw.Percent(upTo(by, 2)), draw.Percent(upTo(s[0].by, 2)), draw.Percent(upTo(s[4].by, 1)),
		draw.Number(float64(sent)/float64(fetched), 3), draw.Number(100*offMatrix, 2), draw.Number(100*offBy, 2),
		yes(offMatrix <= l.Synthetic.Within && offBy <= l.Synthetic.Within))
	return nil
}

// truth are the owners by the true topics.
func (x *crawl) truth() sim.Owners {
	var labels, of []string
	for _, node := range x.nodes {
		labels = append(labels, labelOf(node))
	}
	for i := range x.web.Pages {
		label := x.web.Pages[i].Label
		if x.labels[x.web.Pages[i].URL] == "" {
			label = "" // as the crawl has it: it cannot be classified
		}
		of = append(of, label)
	}
	return sim.ByLabel(labels, of)
}

// diagonal is the share of a matrix that stands on it.
func diagonal(m [][]int) float64 {
	own, all := 0, 0
	for i, row := range m {
		own += row[i]
		for _, n := range row {
			all += n
		}
	}
	return float64(own) / float64(all)
}

// upTo is the share of the URLs that at most k crawlers fetched.
func upTo(by []int, k int) float64 {
	some, all := 0, 0
	for i, n := range by {
		all += n
		if i < k {
			some += n
		}
	}
	return float64(some) / float64(all)
}

// apart is the greatest distance between the shares of the rows of two matrices.
func apart(a, b [][]int) (most float64) {
	for i := range a {
		x, y := shares(a[i]), shares(b[i])
		for j := range x {
			most = max(most, math.Abs(x[j]-y[j]))
		}
	}
	return most
}

func shares(row []int) []float64 {
	all := 0
	for _, n := range row {
		all += n
	}
	of := make([]float64, len(row))
	for i, n := range row {
		of[i] = float64(n) / float64(max(all, 1))
	}
	return of
}

// tables shows a crawl as the thesis shows its own: table 5.1, figures 5.2 to 5.6, appendices A to C, and
// from English to foreign.
func (x *crawl) tables(c *chapter) {
	t := &draw.Table{Name: "crawls-nodes", Title: "Each crawler (thesis: table 5.1, figures 5.1 to 5.4 and 5.6)",
		Note:    fmt.Sprintf("The crawl took %.0f s on a machine that did other things, too. Empty: no answer. Execution: seconds of processor of all its stages. KB/s: bytes fetched over the time of the crawl.", x.seconds),
		Columns: strings.Split("crawler|fetched|MB|empty|no text|short|invalid|not classified %|kept %|brought in|execution s|KB/s", "|")}
	matrix := x.matrix()
	var sum [6]int64
	for i, node := range x.nodes {
		s := x.status[i]
		empty := s.Count("resolve", "no-answer")
		fetched, bytes := s.Records("pages"), s.Count("fetch", "bytes")
		noText, short, invalid := s.Count("pages", "no-text"), s.Count("pages", "short"), s.Count("pages", "invalid")
		for k, n := range []int64{fetched + empty, bytes, empty, noText, short, invalid} {
			sum[k] += n
		}
		t.Add(node, fmt.Sprint(fetched), draw.Number(float64(bytes)/1e6, 2), fmt.Sprint(empty), fmt.Sprint(noText), fmt.Sprint(short), fmt.Sprint(invalid),
			draw.Percent(float64(empty+noText+short+invalid)/float64(fetched+empty)), draw.Percent(shares(matrix[i])[i]), fmt.Sprint(s.Records("gofer")),
			draw.Number(s.CPU(), 1), draw.Number(float64(bytes)/1e3/x.seconds, 1))
	}
	c.table(t)
	c.say("Of all that was asked for %s %% could not be classified (empty, without text, short or invalid). "+
		"The web saw at most %d connections to a host and %d requests at once; the least gap between two was %.3f s (%s).",
		draw.Percent(float64(sum[2]+sum[3]+sum[4]+sum[5])/float64(sum[0])), x.treated.Connections.Most, x.treated.Requests.Most, x.treated.Gap.Seconds, x.treated.Gap.Host)
	c.matrix(&draw.Matrix{Name: "crawls-matrix", Title: "From crawler to crawler, % of row; the crawl", Names: x.nodes, Counts: matrix})
	x.byCrawlers(c)
	x.languages(c, matrix)
}

func (x *crawl) byCrawlers(c *chapter) {
	by := x.by()
	t := &draw.Table{Name: "crawls-by", Title: "URLs fetched by exactly k crawlers (thesis, figure 5.5)", Columns: []string{"k", "URLs", "%"}}
	for k, n := range by {
		t.Add(fmt.Sprint(k+1), fmt.Sprint(n), draw.Percent(shares(by)[k]))
	}
	c.table(t)
}

// languages is the transfer between English and foreign crawlers (thesis 5.2.4).
func (x *crawl) languages(c *chapter, matrix [][]int) {
	world := len(x.nodes) - 1
	out, all := 0, 0
	for i, row := range matrix[:world] {
		for _, n := range row {
			all += n
		}
		out += matrix[i][world]
	}
	back := 1 - shares(matrix[world])[world]
	c.say("Of the classifiable pages that the English crawlers fetched %s %% were foreign; of those that %s fetched %s %% were English.",
		draw.Percent(float64(out)/float64(all)), x.nodes[world], draw.Percent(back))
}
