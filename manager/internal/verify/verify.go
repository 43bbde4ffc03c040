// Package verify reads the live files of a crawl and compares them with its log. Then it runs the
// programs that the script names for verifying them.
//
// It takes no lock and changes nothing, so a manager may run at the same time. That manager moves
// files into their queues and deletes those that every reader has read. So if a file seems damaged,
// package verify reads the log again. A name is never used twice. So a file that is live in the
// newer log was live before, too, and had to exist.
package verify

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A Verification is the result of verifying a crawl.
type Verification struct {
	Begun    bool      `json:"begun"`
	Files    int       `json:"files"`    // the number of files that match the log
	Bytes    int64     `json:"bytes"`    // the bytes in these files
	Faults   []Fault   `json:"faults"`   // sorted by name
	Formats  []string  `json:"formats"`  // what programs have checked
	Failures []Failure `json:"failures"` // complaints of programs
	Foreign  []string  `json:"foreign"`  // files in queues that are not in the log
}

// A Fault is a live file that differs from the log.
type Fault struct {
	File txlog.Name `json:"file"`
	What string     `json:"what"`
}

// Crawl verifies all live files of a crawl. It first checks each file. Then it runs the programs of
// formats on the files that have no fault.
func Crawl(c *view.Crawl, formats []Format) (*Verification, error) {
	v := &Verification{Begun: c.Begun,
		Faults: []Fault{}, Formats: []string{}, Failures: []Failure{}, Foreign: []string{}}
	if !c.Begun {
		_, err := workdir.Examine(c.Root) // returns the error that a start would return
		return v, err
	}
	if err := v.files(c.Root, c.State); err != nil {
		return nil, err
	}
	if err := v.formats(c.Root, c.Script.Folder, v.choose(c.State, formats)); err != nil {
		return nil, err
	}
	var err error
	v.Foreign, err = c.Foreign()
	return v, err
}

// files reads every file that is live in state. Each must be a regular file with the size and the
// hash in the log. An error means that the log could not be read again.
func (v *Verification) files(root string, state *txlog.State) error {
	live := state.Files()
	what := make([]string, len(live))
	each(len(live), func(i int) { what[i] = check(root, live[i]) })
	for i, o := range live {
		if what[i] == "" {
			v.Files++
			v.Bytes += o.Size
		} else {
			v.Faults = append(v.Faults, Fault{o.Name, what[i]})
		}
	}
	if len(v.Faults) == 0 {
		return nil
	}
	still, err := liveNow(root)
	v.Faults = slices.DeleteFunc(v.Faults, func(f Fault) bool { return !still[f.File] })
	return err
}

// liveNow reads the log again and returns the files that are live.
func liveNow(root string) (map[txlog.Name]bool, error) {
	rp, err := txlog.Load((&workdir.Dir{Root: root}).LogPath())
	if err != nil {
		return nil, fmt.Errorf("read the log again: %w", err)
	}
	live := map[txlog.Name]bool{}
	for _, o := range rp.State.Files() {
		live[o.Name] = true
	}
	return live, nil
}

// each calls do for every number below n. As many calls run at a time as there are processors.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	room := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		room <- struct{}{}
		all.Go(func() { do(i); <-room })
	}
	all.Wait()
}

// check returns what is wrong with a live file, or "" if nothing is wrong.
func check(root string, o txlog.Output) string {
	path, err := workdir.Where(root, o.Name)
	if err != nil {
		return err.Error()
	}
	what, err := workdir.Amiss(path, o)
	switch {
	case err != nil:
		return err.Error()
	case what != "":
		return "it " + what
	}
	hash, err := workdir.Hash(path)
	switch {
	case err != nil:
		return err.Error()
	case hash != o.Hash:
		return fmt.Sprintf("its hash is %s, but the log says %s", hash, o.Hash)
	}
	return ""
}

// Damaged reports whether a file has a fault or a program complained.
func (v *Verification) Damaged() bool { return len(v.Faults)+len(v.Failures) > 0 }

// Print writes the verification for people.
func (v *Verification) Print(w io.Writer) {
	if !v.Begun {
		terminal.Line(w, "nothing to verify: the crawl has not begun")
		return
	}
	for _, f := range v.Faults {
		terminal.Line(w, "%s is damaged: %s", f.File, f.What)
	}
	for _, f := range v.Failures {
		terminal.Line(w, "%s: the program that verifies it: %s, called with", f.What, f.Exit)
		terminal.List(w, f.Files)
		terminal.Quote(w, f.Stderr)
	}
	if len(v.Formats) > 0 {
		terminal.Line(w, "programs checked %s: %s", strings.Join(v.Formats, ", "),
			figure.Count(len(v.Failures), "complaint"))
	}
	terminal.Line(w, "%s with %s match the log; damaged: %d",
		figure.Count(v.Files, "file"), figure.Bytes(v.Bytes), len(v.Faults))
	view.PrintForeign(w, v.Foreign)
}
