// Package verify re-reads the live files of a crawl and holds them against its
// log, and lets the programs that the script names look into them.
//
// It takes no lock and changes nothing, so a manager may be at work meanwhile,
// which moves files into their queues and removes those that were read by all. A
// file that is found wrong is therefore held against a log that is read after
// the file was: a name never comes back, so one that is live by then was live at
// the look, and had to be there.
package verify

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A Fault is a live file that is not what the log says.
type Fault struct {
	File txlog.Name `json:"file"`
	What string     `json:"what"`
}

// A Result is what Files found.
type Result struct {
	Files  int     `json:"files"`  // that were read
	Bytes  int64   `json:"bytes"`  // in them
	Faults []Fault `json:"faults"` // by name
}

// Files re-reads every file that is live in state: it is there, a regular file,
// and has the size and the hash that the log says. It reads as many at once as
// there are processors, a piece at a time. The error is one of reading the log
// again.
func Files(root string, state *txlog.State) (*Result, error) {
	live := state.Files()
	what := make([]string, len(live))
	r := Result{Faults: []Fault{}}
	each(len(live), func(i int) { what[i] = check(root, live[i]) })
	for i, o := range live {
		if what[i] == "" {
			r.Files++
			r.Bytes += o.Size
		} else {
			r.Faults = append(r.Faults, Fault{o.Name, what[i]})
		}
	}
	if len(r.Faults) == 0 {
		return &r, nil
	}
	still, err := liveNow(root)
	if err != nil {
		return nil, err
	}
	r.Faults = slices.DeleteFunc(r.Faults, func(f Fault) bool { return !still[f.File] })
	return &r, nil
}

// liveNow reads the log again.
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

// each calls do for every number below n, on as many goroutines as there are
// processors.
func each(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// check tells what is wrong with a live file, "" if nothing is.
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
		return fmt.Sprintf("its bytes have the hash %s, the log says %s", hash, o.Hash)
	}
	return ""
}
