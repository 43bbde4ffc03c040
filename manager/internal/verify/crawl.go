package verify

import (
	"io"
	"strings"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
)

// A Verification is what was found in a whole crawl.
type Verification struct {
	Begun bool `json:"begun"`
	*Result
	Formats  []string  `json:"formats"`  // what a program looked into
	Failures []Failure `json:"failures"` // what programs had against files
	Foreign  []string  `json:"foreign"`  // files in queues that the log does not know
}

// Crawl verifies all that is live in a crawl: first each file, then by the programs that formats name
// those that have no fault.
func Crawl(c *view.Crawl, formats []Format) (*Verification, error) {
	v := &Verification{Begun: c.Begun, Result: &Result{Faults: []Fault{}},
		Formats: []string{}, Failures: []Failure{}, Foreign: []string{}}
	if !c.Begun {
		_, err := workdir.Examine(c.Root) // refuses what a start would refuse
		return v, err
	}
	var err error
	if v.Result, err = Files(c.Root, c.State); err != nil {
		return nil, err
	}
	formats = v.Select(c.State, formats)
	for _, f := range formats {
		v.Formats = append(v.Formats, f.What)
	}
	if v.Failures, err = Formats(c.Root, c.Script.Folder, formats); err != nil {
		return nil, err
	}
	v.Foreign, err = c.Foreign()
	return v, err
}

// Damaged reports whether anything is amiss.
func (v *Verification) Damaged() bool { return len(v.Faults)+len(v.Failures) > 0 }

// Print writes it for people.
func (v *Verification) Print(w io.Writer) {
	if !v.Begun {
		terminal.Line(w, "nothing to verify: the crawl has not begun")
		return
	}
	for _, f := range v.Faults {
		terminal.Line(w, "%s is damaged: %s", f.File, f.What)
	}
	for _, f := range v.Failures {
		terminal.Line(w, "%s: the program that verifies it: %s, given", f.What, f.Exit)
		terminal.List(w, f.Files)
		for text := range strings.Lines(f.Stderr) {
			terminal.Line(w, "  | %s", strings.TrimSuffix(text, "\n"))
		}
	}
	if len(v.Formats) > 0 {
		terminal.Line(w, "programs looked into %s: %s", strings.Join(v.Formats, ", "),
			figure.Count(len(v.Failures), "complaint"))
	}
	terminal.Line(w, "as the log says: %s with %s; damaged: %d",
		figure.Count(v.Files, "file"), figure.Bytes(v.Bytes), len(v.Faults))
	view.PrintForeign(w, v.Foreign)
}
