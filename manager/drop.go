package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

const dropHelp = `Lets go of batches: one that was added by mistake, or that its reader will never
take. Nobody owes it any more, and its file is removed for good; what stages have
made of it already stays. A batch that a run is reading is not dropped.

A batch, or a segment of a state, that is lost is let go of in the same way, and the
transaction says what was lost. What only a segment knew, as which URLs were seen, is
unknown from then on.
BATCH is as ls, status and log name it.` + requestHelp

func dropVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	why := fs.String("why", "", "a `reason`, kept in the log; manager show tells it")
	return func(args []string) (int, error) {
		if len(args) < 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and batches, got %d arguments", errUsage, len(args))
		}
		s, err := view.Script(args[0], m.vars.list)
		if err != nil {
			return codeOf(err), err
		}
		q := crawl.Request{Verb: "drop", Why: *why}
		for _, arg := range args[1:] {
			name, err := batchName(s.Dir, arg)
			if err != nil {
				return crawl.ExitBad, err
			}
			q.Batches = append(q.Batches, name)
		}
		return m.ask(args[0], q)
	}
}

// batchName takes a batch by its name, as log has it, or by its path, as ls does.
func batchName(root, arg string) (txlog.Name, error) {
	abs, err := filepath.Abs(arg)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(root, abs); err == nil && !strings.HasPrefix(rel, "..") {
		return txlog.Name(rel), nil
	}
	return txlog.Name(arg), nil
}
