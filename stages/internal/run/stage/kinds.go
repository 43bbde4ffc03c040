package stage

import "fmt"

// Kinds of records that a run of one stage may need of another. A manager compares them as text.
const (
	Links = "links" // records of links to URLs that are known already: known=1
	Ranks = "ranks" // records of URLs whose rank has risen: known=1 and score=
)

// Gives tells that this run writes records of a kind to path, if the arguments are being checked. A
// Body calls it before Ready. The line on standard output is
//
//	gives KIND "PATH"
func (e *Env) Gives(kind, path string) {
	if e.checkOnly {
		fmt.Fprintf(e.Stdout, "gives %s %q\n", kind, path)
	}
}

// Needs tells that this run needs records of a kind, if the arguments are being checked. Where a
// script has nothing that gives them to this stage, the manager refuses the script and says why. A
// Body calls it before Ready. The line on standard output is
//
//	needs KIND "WHY"
func (e *Env) Needs(kind, why string) {
	if e.checkOnly {
		fmt.Fprintf(e.Stdout, "needs %s %q\n", kind, why)
	}
}
