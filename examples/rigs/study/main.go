// Command study repeats the thesis's experiments on data of today, with controls that the thesis
// did not have, and writes their tables and pictures:
//
//	go run ./examples/rigs/study -data FOLDER -out FOLDER
//
// The parameters stand in parameters.toml, written down before the first run. The tables and
// pictures go to results/ in the folder -out; and RESULTS.md, which says what came of it beside the
// thesis's figures, is made of the text RESULTS.tmpl and these tables, so that each of its numbers
// is one of theirs.
//
//	partitions   16 simulated crawlers on a code of laws, by every partition (thesis 5.2, appendices A to C)
//	open         the questions that the thesis leaves open (6.1)
//	sure         what it saves to follow the links of surely classified pages first
//	pagerank     how well a crawler's own links tell the order of its pages (X4, figure 7)
//	accuracy     of five classifiers on five labelled sets (4.3.1)
//	hyperlinks   whether a link leads to a page of the same label (4.3.2)
//	speed        pages a second (4.3.3)
//	language     English or foreign (4.4.3)
//	crawls       the sixteen crawlers of examples/c4 on an invented web, held against a simulation; wants -bin
//	costs        what they take by each partition of their script, and how they treat hosts; wants -bin
//
// It needs the labelled sets (law16, webkb, 20news, bbc, web; package sets says of which form); an
// experiment whose set is not there says so and is skipped.
package main

import (
	_ "embed"
	"flag"

	"multitext/examples/rigs/internal/results"
)

//go:embed RESULTS.tmpl
var resultsText string

func main() {
	h := results.Flags("study")
	pages := flag.String("pages", "classify/language/testdata/pages.tsv",
		"the `FILE` of pages of the set web whose language a person has read")
	words := flag.String("words", "", "more lists of English words, `FILES` with one a line, with commas between them")
	bin := flag.String("bin", "",
		"the `FOLDER` of the programs, for crawls and costs: go build -o FOLDER ./manager ./stages/... ./examples/...")
	example := flag.String("example", "examples/c4", "the `FOLDER` of the collaboration to crawl with")
	h.Parse()
	p, err := readParameters(h.Parameters)
	h.Check(err)
	l := &lab{parameters: p, data: h.Data, pages: *pages, words: *words, bin: *bin, example: *example,
		judged: make(map[string]*judgement)}
	h.Run(l.experiments(), resultsText)
}

func (l *lab) experiments() (all []results.Experiment) {
	for _, e := range []struct {
		name string
		run  func(*lab, *results.Chapter) error
	}{
		{"partitions", partitions}, {"open", openQuestions}, {"sure", sureFirst}, {"pagerank", pageRanks},
		{"accuracy", accuracy},
		{"hyperlinks", hyperlinks}, {"speed", speed}, {"language", languages}, {"crawls", crawls}, {"costs", costs},
	} {
		all = append(all, results.Experiment{Name: e.name, Run: func(c *results.Chapter) error { return e.run(l, c) }})
	}
	return all
}
