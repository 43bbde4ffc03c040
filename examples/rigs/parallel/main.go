// Command parallel asks what several crawlers that share a web cost and gain, and whether what the paper
// of parallel crawlers says of it holds (Cho and Garcia-Molina, "Parallel crawlers", 2002):
//
//	go run ./examples/rigs/parallel -data FOLDER -bin FOLDER -out FOLDER
//
// The parameters stand in parameters.toml, written down before the first run. The tables and
// pictures go to results/ in the folder -out; and RESULTS.md, which says what came of it, is made of
// the text RESULTS.tmpl and these tables, so that each of its numbers is one of theirs.
//
//	coverage   what crawlers find that drop the links of others, by their number
//	seeds      the same by the number of seeds
//	sent       how many URLs crawlers send that exchange links
//	replicated the same where all crawlers know the most popular URLs
//	partitions by topic and by domain beside those by site and by URL
//	agree      what was counted so far beside crawls by advise
//	overlap    what crawlers fetch twice that follow links of others when they have none of their own
//	batches    how many URLs are sent where crawlers exchange links now and then
//	quality    whether crawlers find the pages first that most pages link to, by how often they exchange links
//	pipeline   crawls by managers with examples/c4/c4.toml beside the simulation
//	polite     how several crawlers ask one host
//
// It needs the labelled sets (web, law16, webkb; package sets says of which form); without them it
// says so and is skipped.
package main

import (
	_ "embed"
	"flag"
	"fmt"
	"io/fs"

	"multitext/examples/rigs/internal/results"
)

//go:embed RESULTS.tmpl
var resultsText string

func main() {
	h := results.Flags("parallel")
	bin := flag.String("bin", "", "the `FOLDER` of the programs: go build -o FOLDER ./...")
	example := flag.String("example", "examples/c4", "the `FOLDER` of the script that real crawlers run")
	h.Parse()
	l := &lab{data: h.Data, bin: *bin, example: *example}
	h.Check(results.Parameters(h.Parameters, &l.parameters))
	h.Run(l.experiments(), resultsText)
}

// A lab is what the experiments share.
type lab struct {
	parameters
	data, bin, example string   // folders of the labelled sets, of the programs, and of the script
	webs               []*named // once they were read
	small              *named   // the same: the part that managers crawl
}

// parameters are the numbers of parameters.toml, which says what they are.
type parameters struct {
	Seed     uint64
	Draws    int
	Outside  float64
	Crawlers []int
	Shown    int
	Each     int
	Total    int

	Seeds      struct{ Numbers, Crawlers []int }
	Replicated []int
	Batch      int
	Simulated  int

	Overlap struct {
		Crawlers, Points []int
		Most, Draws      int
	}
	Exchanges []int
	Batched   int
	Quality   struct {
		Crawlers, Exchanges []int
		Shares              []float64
		Seeds, Batch        int
	}
	Pipeline struct {
		Managers []int
		Title    string
		Seeds    int
		Known    int
	}
	Polite struct{ Managers, Pages, Delay int }
}

func (l *lab) experiments() []results.Experiment {
	return []results.Experiment{
		{Name: "coverage", Run: l.coverage}, {Name: "seeds", Run: l.seeded},
		{Name: "sent", Run: l.sent}, {Name: "replicated", Run: l.replicated}, {Name: "partitions", Run: l.partitions},
		{Name: "agree", Run: l.agree},
		{Name: "overlap", Run: l.overlap}, {Name: "batches", Run: l.batches}, {Name: "quality", Run: l.quality},
		{Name: "pipeline", Run: l.pipeline}, {Name: "polite", Run: l.polite},
	}
}

var errNoPrograms = fmt.Errorf("the programs are missing: give -bin: %w", fs.ErrNotExist)
