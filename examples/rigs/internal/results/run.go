package results

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Experiment writes a chapter of its own.
type Experiment struct {
	Name string
	Run  func(*Chapter) error
}

// Run makes the experiments that only names, with commas between them, or all, and writes their
// chapters to the folder results of out; then it writes RESULTS.md of text, their tables and those
// that were there before. The name text makes no experiment. An experiment whose data is not there
// (fs.ErrNotExist) is left out.
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
	for _, e := range experiments {
		if len(chosen) > 0 && !slices.Contains(chosen, e.Name) {
			continue
		}
		began := time.Now()
		c, err := NewChapter(filepath.Join(out, "results"), e.Name)
		if err != nil {
			return err
		}
		if err = e.Run(c); err == nil {
			err = c.Close()
		}
		if err := done(e.Name, began, err); err != nil {
			return err
		}
	}
	began := time.Now()
	return done("RESULTS.md", began, Write(out, text))
}

// done says what became of a part; one whose data is not there is no error.
func done(name string, began time.Time, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fmt.Printf("%-12s skipped: %v\n", name, err)
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	default:
		fmt.Printf("%-12s %.0f s\n", name, time.Since(began).Seconds())
	}
	return nil
}
