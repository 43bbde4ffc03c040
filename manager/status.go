package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

const statusHelp = `Says whether a manager runs the crawl, how each stage stands and why it is not
started, what lies in each queue, what was set aside and why, and which files in
the queues the log does not know (they are never touched).

A stage is running; or waiting, with the condition that does not hold, or none
where only a manager is missing that runs the crawl; or held, when its batches
wait for a time; or resting after failures; or idle.
READY, HELD and ASIDE are batches that wait for the stage; WAITING is the records of
those that are ready or held, with a + where nobody has counted those of some. PER S is
the records it read in a second, over the last half hour or since the log was last folded.
What that makes for the slowest stage is the time that is left, at least: a crawl finds
more while it goes on. OWED counts the batches
of a queue that are due and not read by all: what full is measured by. RUNS counts
the runs that were committed, FAILED those that failed, not those that were stopped
or said "try later". RECORDS EVER is of the whole life of the crawl; of an
exported queue nothing else is told, for its batches are others' to take. Of the
counters, those in parentheses do not say where records went. "-" is none, or unknown.`

// redraw is how often -w looks again.
const redraw = time.Second

func statusVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	watch := fs.Bool("w", false, "look again each second, until interrupted")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		v := &statusView{invocation: m, path: path, json: *asJSON}
		if *watch {
			return v.watch()
		}
		return v.print(m.out)
	}
}

// A statusView prints the status of one crawl, again and again.
type statusView struct {
	*invocation
	path     string
	json     bool
	failures view.Failures
	notice   string // said already
}

// print looks once.
func (v *statusView) print(w io.Writer) (int, error) {
	c, err := view.Open(v.path, v.vars.list, time.Now())
	if err != nil {
		return codeOf(err), err
	}
	if c.Notice != v.notice {
		v.notice = c.Notice
		terminal.Line(v.err, "manager: %s", c.Notice)
	}
	s, err := c.Status(&v.failures)
	if err != nil {
		return codeOf(err), err
	}
	if v.json {
		return crawl.ExitDone, printJSON(w, s)
	}
	writeStatus(w, s, c.Now)
	return crawl.ExitDone, nil
}

// watch looks until it is interrupted: in place on a terminal, else each time
// behind an empty line.
func (v *statusView) watch() (int, error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	tick := time.NewTicker(redraw)
	defer tick.Stop()
	inPlace := terminal.Is(v.out)
	for first := true; ; first = false {
		var text bytes.Buffer
		if code, err := v.print(&text); err != nil {
			return code, err
		}
		switch {
		case inPlace:
			width, height := terminal.Size(v.out)
			fmt.Fprint(v.out, terminal.Redrawn(text.String(), width, height))
		case first || v.json:
			v.out.Write(text.Bytes())
		default:
			fmt.Fprintf(v.out, "\n%s", text.String())
		}
		select {
		case <-ctx.Done():
			return crawl.ExitDone, nil
		case <-tick.C:
		}
	}
}
