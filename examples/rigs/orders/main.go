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
	"strings"

	"multitext/examples/rigs/internal/results"
)

//go:embed RESULTS.tmpl
var resultsText string

func main() {
	h := results.Flags("orders")
	bin := flag.String("bin", "",
		"the `FOLDER` of the programs: go build -o FOLDER ./manager ./stages/... ./examples/testweb")
	script := flag.String("script", "examples/testdata/agrees/crawl.toml", "the `FILE` of the script for pipeline")
	crawled := flag.String("models", "", "in million crawl webs of these `MODELS`, with commas between them")
	h.Parse()
	l := &lab{data: h.Data, bin: *bin, script: *script}
	h.Check(results.Parameters(h.Parameters, &l.parameters))
	if *crawled != "" {
		l.Synthetic.Crawled = strings.Split(*crawled, ",")
	}
	h.Run(l.experiments(), resultsText)
}

// A lab is what the experiments share.
type lab struct {
	parameters
	draw      int     // which one is made
	data, bin string  // folders of the labelled sets, and of the programs
	script    string  // of a crawl that is simulated
	webs      []named // once they were read
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
		Models  []string
		Pages   int
		Crawled []string
		Draws   int
		Batch   int
		Orders  []string
		Points  []float64
	}
}

func (l *lab) experiments() []results.Experiment {
	return []results.Experiment{
		{Name: "found", Run: func(c *results.Chapter) error { return l.onWebs(c, l.Draws, everyWeb, (*lab).found) }},
		{Name: "controls", Run: func(c *results.Chapter) error {
			return l.onWebs(c, l.Prices, everyWeb, (*lab).controls)
		}},
		{Name: "batches", Run: func(c *results.Chapter) error {
			return l.onWebs(c, l.Prices, everyWeb, l.ofBatches().over)
		}},
		{Name: "hosts", Run: func(c *results.Chapter) error {
			return l.onWebs(c, l.Prices, manyHosts, l.ofHosts().over)
		}},
		{Name: "crawlers", Run: func(c *results.Chapter) error {
			return l.onWebs(c, l.Prices, manyHosts, l.ofCrawlers().over)
		}},
		{Name: "pipeline", Run: func(c *results.Chapter) error { return pipeline(l, c) }},
		{Name: "models", Run: func(c *results.Chapter) error { return models(l, c) }},
		{Name: "million", Run: func(c *results.Chapter) error { return million(l, c) }},
	}
}

// random is the source of a purpose, in the draw of the lab.
func (l *lab) random(purpose string) *rand.Rand { return results.Random(l.Seed, l.draw, purpose) }

// onWebs makes a part of a chapter for each of some Webs, once for each draw, with a lab whose random
// numbers are of that draw alone.
func (l *lab) onWebs(c *results.Chapter, draws int, some func(named) bool,
	do func(*lab, *results.Chapter, named) error) error {
	if l.bin == "" {
		return errNoPrograms
	}
	if err := l.readWebs(); err != nil {
		return err
	}
	for _, on := range l.webs {
		if !some(on) {
			continue
		}
		err := c.Over(draws, l.Outside, func(draw int, c *results.Chapter) error {
			of := *l
			of.draw = draw
			return do(&of, c, on)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", on.name, err)
		}
	}
	return nil
}

var errNoPrograms = fmt.Errorf("the programs are missing: give -bin: %w", fs.ErrNotExist)

func (l *lab) readWebs() (err error) {
	if l.webs == nil {
		l.webs, err = webs(l.data)
	}
	return err
}

func everyWeb(named) bool { return true }

func manyHosts(on named) bool { return on.hosts }
