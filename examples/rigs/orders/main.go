// Command orders asks which order of a crawl finds the pages first that most pages link to:
//
//	go run ./examples/rigs/orders -data FOLDER -bin FOLDER -out FOLDER
//
// The parameters stand in parameters.toml, written down before the first run. The tables and
// pictures go to results/ in the folder -out; and RESULTS.md, which says what came of it, is made of
// the text RESULTS.tmpl and these tables, so that each of its numbers is one of theirs.
//
//	orders  all orders on four Webs, in batches of several sizes, and with rewired links
//	models  how near synthetic webs of a million pages are to 41 sites
//
// It needs the labelled sets (web, law16, webkb; package sets says of which form); without them it
// says so and is skipped.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"

	"multitext/examples/rigs/internal/results"
)

//go:embed RESULTS.tmpl
var resultsText string

func main() {
	data := flag.String("data", "../shared/data", "the `FOLDER` of the labelled sets, NAME.tar.zst")
	out := flag.String("out", "", "the `FOLDER` that gets RESULTS.md, and tables and pictures in results/")
	only := flag.String("only", "",
		"run only these `EXPERIMENTS`, with commas between them; text: none, only print RESULTS.md")
	file := flag.String("parameters", "examples/rigs/orders/parameters.toml", "the `FILE` of parameters")
	bin := flag.String("bin", "", "the `FOLDER` of the programs: go build -o FOLDER ./stages/...")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		fmt.Fprintln(os.Stderr, "orders: -out FOLDER is missing, or there is too much behind the options")
		os.Exit(2)
	}
	l := &lab{data: *data, bin: *bin}
	if err := results.Parameters(*file, &l.parameters); err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(2)
	}
	if err := results.Run(l.experiments(), resultsText, *out, *only); err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}

// A lab is what the experiments share.
type lab struct {
	parameters
	draw      int    // which one is made
	data, bin string // folders of the labelled sets, and of the programs
}

// parameters are the numbers of parameters.toml, which says what they are.
type parameters struct {
	Seed    uint64
	Draws   int
	Seeds   int
	Batches []int
	Shown   int
	Hottest []float64
	Priced  float64
	Points  []int

	Synthetic struct {
		Models []string
		Pages  int
	}
}

func (l *lab) experiments() []results.Experiment {
	return []results.Experiment{
		{Name: "orders", Run: func(c *results.Chapter) error { return orders(l, c) }},
		{Name: "models", Run: func(c *results.Chapter) error { return models(l, c) }},
	}
}

// random is the source of a purpose, in the draw of the lab.
func (l *lab) random(purpose string) *rand.Rand { return results.Random(l.Seed, l.draw, purpose) }

// over makes a part of a chapter once for each draw of the parameters, with a lab whose random
// numbers are of that draw alone.
func (l *lab) over(c *results.Chapter, do func(*lab, *results.Chapter) error) error {
	return c.Over(l.Draws, func(draw int, c *results.Chapter) error {
		of := *l
		of.draw = draw
		return do(&of, c)
	})
}
