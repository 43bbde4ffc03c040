// Command focus asks what a focused crawl finds, and whether what the paper of focused crawling says of
// it holds (Chakrabarti, van den Berg and Dom, "Focused crawling: a new approach to topic-specific Web
// resource discovery", 1999):
//
//	go run ./examples/rigs/focus -data FOLDER -bin FOLDER -out FOLDER
//
// The parameters stand in parameters.toml, written down before the first run. The tables and
// pictures go to results/ in the folder -out; and RESULTS.md, which says what came of it, is made of
// the text RESULTS.tmpl and these tables, so that each of its numbers is one of theirs.
//
//	guides    how often the classifiers that guide crawls are right
//	ways      what crawls find that go by relevance, by less, or by more than a crawl can know
//	batches   the price of batches
//	held      whether harvest is held, and what relevance the pages have that are fetched
//	robust    what crawls from disjoint seeds have in common, and how far authorities are from the seeds
//	hubs      what the distiller adds
//	depth     harvest by how deep the topic is in the tree
//	language  pages of one language on real sites
//	synthetic webs whose links keep to a topic more or less, with better and worse guides, and with hubs
//
// A crawl looks for the pages of one topic. A classifier guides it that has learned from other pages than
// those that it judges; what a page is in truth is its label, which a person gave it.
//
// It needs the labelled sets (law16, webkb, web; package sets says of which form); without them it says so
// and is skipped.
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
	h := results.Flags("focus")
	bin := flag.String("bin", "", "the `FOLDER` of the program advise: go build -o FOLDER ./stages/advise")
	h.Parse()
	l := &lab{data: h.Data, bin: *bin}
	h.Check(results.Parameters(h.Parameters, &l.parameters))
	h.Run(l.experiments(), resultsText)
}

// A lab is what the experiments share.
type lab struct {
	parameters
	data, bin string   // folders of the labelled sets, and of the program
	fields    []*field // once they were read
	nodes     []node   // likewise
	tongues   *field   // likewise: hunts for languages
}

// parameters are the numbers of parameters.toml, which says what they are.
type parameters struct {
	Seed         uint64
	Outside      float64
	Points       []int
	Window       int
	MinDocuments int `toml:"min_documents"`
	Swept        []string
	Held         []string
	Hubs         []int
	Authorities  int

	Law16 struct {
		Draws, Seeds, Batch int
		Least               int
		Batches             []int
	}
	WebKB struct {
		Batch   int
		Topics  []string
		Batches []int
	}
	Language struct {
		Draws, Batch int
		Least        int
		Names, Ways  []string
	}
	Synthetic struct {
		Pages, Topics, Host, Links int
		Draws, Seeds, Batch        int
		Locality, Accuracy, Hubs   []float64
		Ways                       []string
	}
}

func (l *lab) experiments() []results.Experiment {
	return []results.Experiment{
		{Name: "guides", Run: l.guides}, {Name: "ways", Run: l.ways}, {Name: "batches", Run: l.batches},
		{Name: "held", Run: l.held}, {Name: "robust", Run: l.robust}, {Name: "hubs", Run: l.hubs},
		{Name: "depth", Run: l.depth}, {Name: "language", Run: l.languages},
		{Name: "synthetic", Run: l.synthetic},
	}
}

var errNoProgram = fmt.Errorf("the program advise is missing: give -bin: %w", fs.ErrNotExist)
