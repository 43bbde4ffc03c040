package results

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// An Experiment writes a chapter of its own.
type Experiment struct {
	Name string
	Run  func(*Chapter) error
}

// Run makes the experiments that only names, with commas between them, or all, and writes their
// chapters to the folder results of out; then it writes RESULTS.md of text, their tables and those
// that were there before. The name text makes no experiment. An experiment whose data is not there
// (fs.ErrNotExist) is left out. What each costs is printed; and where all are made, it is the table run,
// of which RESULTS.md can say what its own making took.
func Run(experiments []Experiment, text, out, only string) error {
	known := func(name string) bool {
		return slices.ContainsFunc(experiments, func(e Experiment) bool { return e.Name == name })
	}
	chosen := strings.FieldsFunc(only, func(r rune) bool { return r == ',' })
	for _, name := range chosen {
		if name != "text" && !known(name) {
			return fmt.Errorf("there is no experiment %q", name)
		}
	}
	costs := newCosts()
	for _, e := range experiments {
		if len(chosen) > 0 && !slices.Contains(chosen, e.Name) {
			continue
		}
		c, err := NewChapter(filepath.Join(out, "results"), e.Name)
		if err != nil {
			return err
		}
		if err = e.Run(c); err == nil {
			err = c.Close()
		}
		if err := costs.done(e.Name, err); err != nil {
			return err
		}
	}
	if len(chosen) == 0 {
		if err := costs.write(filepath.Join(out, "results")); err != nil {
			return err
		}
	}
	return costs.done("RESULTS.md", Write(out, text)) // not written if a table of it was never made
}
