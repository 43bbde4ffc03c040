package main

import (
	"math/rand/v2"

	"multitext/examples/rigs/internal/results"
)

// parameters are the numbers of parameters.toml, which says what they are.
type parameters struct {
	Seed       uint64
	Draws      int
	Law16      lawParameters
	Crawl      crawlParameters
	Want       wantParameters
	Open       openParameters
	PageRank   rankParameters
	Comparison comparisonParameters
	Hyperlinks struct{ Pages, Links int }
	Language   struct{ Cutoffs []float64 }
	Synthetic  syntheticParameters
	Costs      struct{ Pages int }
}

type syntheticParameters struct {
	Pages         int
	Localities    []float64
	Shown, Within float64
}

type lawParameters struct {
	Train      int
	Classifier string
	Terms      int
	Text       string
}

type crawlParameters struct {
	Points    []int
	Seeds     int
	Exchange  int
	Bootstrap int
	Interval  float64
}

type wantParameters struct {
	OverPermuted float64 `toml:"over_permuted"`
	Load, Two    float64
}

type openParameters struct {
	Bins, Volume int
	Finer        []int
	Short        int
}

type rankParameters struct {
	Damping, Enough, Tie float64
}

type comparisonParameters struct {
	Methods      []string
	MinDocuments int `toml:"min_documents"`
	LewisTerms   int `toml:"lewis_terms"`
	SpeedPages   int `toml:"speed_pages"`
}

// readParameters reads the file.
func readParameters(file string) (p parameters, err error) {
	err = results.Parameters(file, &p)
	return p, err
}

// random is the source of a purpose, in the draw of the lab.
func (l *lab) random(purpose string) *rand.Rand { return results.Random(l.Seed, l.draw, purpose) }

// over makes a part of a chapter once for each draw of the parameters, with a lab whose random
// numbers are of that draw alone.
func (l *lab) over(c *results.Chapter, do func(*lab, *results.Chapter) error) error {
	return c.Over(l.Draws, 0, func(draw int, c *results.Chapter) error {
		of := *l
		of.draw = draw
		return do(&of, c)
	})
}
