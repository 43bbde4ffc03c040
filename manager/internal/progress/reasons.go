package progress

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

// A Reason is a reason for which a stage has dropped records since the crawl began.
type Reason struct {
	Stage   string `json:"stage"`
	Name    string `json:"reason"`
	N       int64  `json:"records"`
	Example string `json:"example,omitempty"` // the first of these records
	Remedy  string `json:"remedy,omitempty"`  // what the user can do about it
}

// Reasons returns the reasons of all stages, the most frequent first.
func Reasons(state *txlog.State) []Reason {
	all := []Reason{}
	for _, stage := range state.Stages() {
		for _, b := range state.Stage(stage).Because {
			all = append(all, Reason{stage, b.Name, b.N, b.Example, b.Remedy})
		}
	}
	slices.SortFunc(all, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Name, b.Name))
	})
	return all
}

const reasonsShown, exampleShown = 5, 100

// PrintReasons prints the most frequent reasons, with an example of each.
func PrintReasons(w io.Writer, reasons []Reason) {
	for i, r := range reasons[:min(len(reasons), reasonsShown)] {
		if i == 0 {
			fmt.Fprint(w, "\nWhy records went no further, the most frequent reasons:\n")
		}
		fmt.Fprintf(w, "  %d %s, by %s", r.N, r.Name, r.Stage)
		if example := []rune(terminal.Printable(r.Example)); len(example) > exampleShown {
			fmt.Fprintf(w, ", as %s…", string(example[:exampleShown]))
		} else if len(example) > 0 {
			fmt.Fprintf(w, ", as %s", string(example))
		}
		fmt.Fprintln(w)
		if r.Remedy != "" {
			fmt.Fprintf(w, "    what to do: %s\n", terminal.Printable(r.Remedy))
		}
	}
}
