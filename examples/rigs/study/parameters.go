package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/BurntSushi/toml"
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
	Orders     orderParameters
}

type orderParameters struct {
	Draws   int
	Seeds   int
	Batches []int
	Shown   int
	Hottest []float64
	Priced  float64
	Points  []int
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

// readParameters reads the file; a key that it does not know is an error.
func readParameters(file string) (p parameters, err error) {
	m, err := toml.DecodeFile(file, &p)
	if err != nil {
		return p, fmt.Errorf("read the parameters: %w", err)
	}
	if unknown := m.Undecoded(); len(unknown) > 0 {
		return p, fmt.Errorf("read the parameters: %s: nobody knows %s", file, unknown[0])
	}
	return p, nil
}

// random is a source of its own for each purpose and draw, so that one more of them changes no
// other.
func (l *lab) random(purpose string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose))
	return rand.New(rand.NewPCG(l.Seed+uint64(l.draw), h.Sum64()))
}
