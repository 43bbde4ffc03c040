// Command orders asks which order of a crawl finds the pages first that most pages link to:
//
//	go run ./examples/rigs/orders -data FOLDER -bin FOLDER -out FOLDER
//
// The parameters stand in parameters.toml, written down before the first run. The tables and
// pictures go to results/ in the folder -out; and RESULTS.md, which says what came of it, is made of
// the text RESULTS.tmpl and these tables, so that each of its numbers is one of theirs.
//
//	found     the share of the hottest pages against the share that is crawled, in every order
//	controls  the same with links that are shuffled or drawn, and with hot pages dealt out by lot
//	batches   the price of batches, and of the 64 classes that an order has
//	hosts     the price of politeness
//	crawlers  the price of several crawlers that share the hosts
//	pipeline  crawls by the programs beside the simulation
//	models    how near synthetic webs of a million pages are to 41 sites
//	million   which part of the hottest pages of such a web each order finds in the first tenth of a crawl
//
// It needs the labelled sets (web, law16, webkb; package sets says of which form); without them it
// says so and is skipped.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"

	"multitext/examples/rigs/internal/results"
	"multitext/examples/rigs/internal/web"
	"multitext/examples/rigs/orders/internal/synthetic"
)

//go:embed RESULTS.tmpl
var resultsText string

func main() {
	h := results.Flags("orders")
	bin := flag.String("bin", "",
		"the `FOLDER` of the programs: go build -o FOLDER ./manager ./stages/... ./examples/testweb")
	script := flag.String("script", "examples/testdata/agrees/crawl.toml", "the `FILE` of the script for pipeline")
	h.Parse()
	l := &lab{data: h.Data, bin: *bin, script: *script}
	h.Check(results.Parameters(h.Parameters, &l.parameters))
	h.Run(l.experiments(), resultsText)
}

// A lab is what the experiments share.
type lab struct {
	parameters
	draw      int                       // which one is made
	data, bin string                    // folders of the labelled sets, and of the programs
	script    string                    // of a crawl that is simulated
	sites     *web.Web                  // the 41, once they were read
	webs      []*named                  // the same
	grown     map[string]*synthetic.Web // by model, once they were made
}

// parameters are the numbers of parameters.toml, which says what they are.
type parameters struct {
	Seed     uint64
	Draws    int
	Outside  float64
	Seeds    int
	Shown    int
	Hottest  []float64
	Priced   float64
	Points   []int
	Batches  []int
	Polite   int
	PerHost  []int `toml:"per_host"`
	Crawlers []int
	Pipeline []string
	Prices   int

	Synthetic struct {
		Models []string
		Pages  int
		Draws  int
		Batch  int
		Orders []string
		Points []float64
	}
}

func (l *lab) experiments() []results.Experiment {
	return []results.Experiment{
		{Name: "found", Run: func(c *results.Chapter) error {
			return l.onWebs(c, l.Draws, everyWeb, l.ofFound(), (*lab).found)
		}},
		{Name: "controls", Run: func(c *results.Chapter) error { return l.controls(c) }},
		{Name: "batches", Run: func(c *results.Chapter) error { return l.priceOn(c, everyWeb, l.ofBatches()) }},
		{Name: "hosts", Run: func(c *results.Chapter) error { return l.priceOn(c, manyHosts, l.ofHosts()) }},
		{Name: "crawlers", Run: func(c *results.Chapter) error { return l.priceOn(c, manyHosts, l.ofCrawlers()) }},
		{Name: "pipeline", Run: func(c *results.Chapter) error { return pipeline(l, c) }},
		{Name: "models", Run: func(c *results.Chapter) error { return models(l, c) }},
		{Name: "million", Run: func(c *results.Chapter) error { return million(l, c) }},
	}
}

// random is the source of a purpose, in the draw of the lab.
func (l *lab) random(purpose string) *rand.Rand { return results.Random(l.Seed, l.draw, purpose) }

var errNoPrograms = fmt.Errorf("the programs are missing: give -bin: %w", fs.ErrNotExist)
