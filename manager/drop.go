package main

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const dropHelp = `Lets go of batches: one that was added by mistake, or that its reader will never
take. Nobody owes it any more, and its file is removed for good; what stages have
made of it already stays. A batch that a run is reading is not dropped.

A batch of a queue that is kept, or that no stage reads, is what the crawl was made
for: such a one goes only with -product. With -n drop says what would go, and drops
nothing.

A batch, or a segment of a state, that is lost is let go of in the same way, and the
transaction says what was lost. What only a segment knew, as which URLs were seen, is
unknown from then on.
BATCH is as ls, status and log name it.` + requestHelp

func dropVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	why := fs.String("why", "", "a `reason`, kept in the log; manager show tells it")
	dry := fs.Bool("n", false, "say what would go, and drop nothing")
	product := fs.Bool("product", false, "drop products of the crawl, too")
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
		if code, err := m.foretellDrop(args[0], q, *dry, *product); err != nil || *dry {
			return code, err
		}
		return m.ask(args[0], q)
	}
}

// foretellDrop refuses to drop products unless that is wanted, and says with dry what would
// go. What is lost already is dropped as it is.
func (m *invocation) foretellDrop(path string, q crawl.Request, dry, products bool) (int, error) {
	c, code, err := m.look(path)
	if err != nil {
		return code, err
	}
	if !c.Begun {
		return crawl.ExitDone, nil // ask says so
	}
	if err := crawl.Sensible(c.Script, c.State, q); err != nil {
		return crawl.ExitBad, err
	}
	var kept []string
	for _, name := range q.Batches {
		o, _ := c.State.Live(name)
		text := fmt.Sprintf("%s, %s", name, figure.Bytes(o.Size))
		if o.Records >= 0 {
			text += ", " + figure.Count(o.Records, "record")
		}
		queue := c.Script.Queue(name.Queue())
		if queue != nil && crawl.IsProduct(queue) {
			text += ", a product of the crawl, which no stage makes again"
			if what, err := workdir.Amiss(filepath.Join(c.Root, string(name)), o); err == nil && what == "" {
				kept = append(kept, text)
			}
		}
		if dry {
			terminal.Line(m.out, "would go: %s", text)
		}
	}
	if kept != nil && !products && !dry {
		return crawl.ExitBad, fmt.Errorf("nothing was dropped; with -product these go for good:\n  %s", strings.Join(kept, "\n  "))
	}
	return crawl.ExitDone, nil
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
