package synthetic

import (
	_ "embed"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/BurntSushi/toml"
)

// A Model grows webs of so many pages.
type Model interface {
	Grow(pages int, random *rand.Rand) *Web
}

// Parameters are those of parameters.toml, which says what they are.
type Parameters struct {
	Tail  int
	Fit   struct{ Links, Within, Exponents float64 }
	Check struct{ Off float64 }

	Copying   Copying
	Hierarchy Hierarchy
	Block     Block
}

//go:embed parameters.toml
var text string

// ReadParameters reads the parameters; a key that it does not know is an error.
func ReadParameters() (p Parameters, err error) {
	m, err := toml.Decode(text, &p)
	if err != nil {
		return p, fmt.Errorf("read the parameters of synthetic webs: %w", err)
	}
	if unknown := m.Undecoded(); len(unknown) > 0 {
		return p, fmt.Errorf("read the parameters of synthetic webs: nobody knows %s", unknown[0])
	}
	return p, nil
}

// Named returns the model of a name.
func (p *Parameters) Named(name string) (Model, error) {
	switch name {
	case "copying":
		return p.Copying, nil
	case "hierarchy":
		return p.Hierarchy, nil
	case "block":
		return p.Block, nil
	}
	return nil, fmt.Errorf("there is no model %q; there are copying, hierarchy, block", name)
}

// Fitted tells whether a model is as near to a measured web as it should be.
func (p *Parameters) Fitted(model, measured Fit) bool {
	return math.Abs(model.Links/measured.Links-1) <= p.Fit.Links &&
		math.Abs(model.Within-measured.Within) <= p.Fit.Within &&
		math.Abs(model.In-measured.In) <= p.Fit.Exponents && math.Abs(model.Out-measured.Out) <= p.Fit.Exponents
}

// Passes tells whether the checks of a model are near to those of a measured web.
func (p *Parameters) Passes(model, measured Checks) bool {
	return p.near(model.Reciprocity, measured.Reciprocity) && p.near(model.Gini, measured.Gini) &&
		p.near(model.Near, measured.Near) && p.near(model.Correlation, measured.Correlation)
}

func (p *Parameters) near(a, b float64) bool { return math.Abs(a-b) <= p.Check.Off }
