package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/script"
)

const statusHelp = `Says whether a manager runs the crawl, what each stage does and why it is not started,
what lies in each queue, what was set aside and why, and which files in the queues the
log does not know (they are never touched).

A stage is running; or waiting, with the condition that does not hold, or with none if
only a running manager is missing; or held, if its batches wait for a time; or resting
after failures; or idle.
READY, HELD and ASIDE are batches that wait for the stage. WAITING is the records in
those that are ready or held, with a + if some batches were not counted. PER S is the
records that the stage read in a second, over the last half hour or since the log was
last folded. The time that is left is what the slowest stage needs at that pace; it is
a lower bound, because a crawl finds more while it runs.
OWED is the batches of a queue that are due and not read by all: full counts these. RUNS
counts the runs that were committed, and FAILED those that failed, without those that
were stopped or said "try later". RECORDS EVER counts from the birth of the crawl. It is
all that is told of an exported queue, whose batches others may take. Counters in
parentheses do not say where records went. "-" is none, or unknown.`

// redraw is how often -w looks again.
const redraw = time.Second

func statusVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	asJSON := jsonFlag(fs)
	watch := fs.Bool("w", false, "look again each second, until interrupted")
	return func(args []string) error {
		var failures view.AsideRuns
		status := func(w io.Writer) error {
			c, err := m.look(args[0])
			if err != nil {
				return err
			}
			s, err := c.Status(&failures)
			if err != nil {
				return err
			}
			return show(w, *asJSON, s)
		}
		if !*watch {
			return status(m.out)
		}
		between := ""
		return again(redraw, func() error {
			var text bytes.Buffer
			err := status(&text)
			if terminal.Is(m.out) {
				width, height := terminal.Size(m.out)
				fmt.Fprint(m.out, terminal.Redrawn(text.String(), width, height))
			} else {
				fmt.Fprint(m.out, between, text.String())
			}
			if !*asJSON {
				between = "\n"
			}
			return err
		})
	}
}

const whyHelp = `Measures every condition that must hold for the stage to start, or to start once more
while it runs, with the scheduler's own list, and says which runs are under way. Two
things are missing, because only the running manager knows them: that it is stopping,
and that a stage rests because its program could not be started.`

func why(m *invocation, c *view.Crawl, args []string) (printer, error) {
	if err := known("stage", args[0], c.Script.StageNames()); err != nil {
		return nil, err
	}
	return c.Why(args[0], m.call("run", terminal.Near(c.Script.Path))), nil
}

const logHelp = `Prints every transaction that has ended, in the order in which they ended, those in
sealed logs included: the committed ones, and the aborted ones, which changed nothing.
The output is TSV with a first line of names; with -json it is one object a line. "-"
is unknown or none. Times are UTC; cpu and wall are in seconds, memory and bytes in
bytes.`

// followEvery is how often -f looks whether the log has grown.
const followEvery = 300 * time.Millisecond

func logVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	follow := fs.Bool("f", false, "go on with what is added, until interrupted")
	stage := fs.String("stage", "", "only transactions of this `stage`")
	asJSON := fs.Bool("json", false, "print JSON, one object a line")
	return func(args []string) error {
		c, err := m.look(args[0])
		if err != nil {
			return err
		}
		if *stage != "" {
			if err := known("stage", *stage, c.StageNames()); err != nil {
				return err
			}
		}
		h := &view.History{Root: c.Root, Stage: *stage, JSON: *asJSON, Out: m.out, Warn: m.say}
		h.Head()
		if *follow {
			if err := again(followEvery, h.More); err != nil {
				return err
			}
		}
		return h.More()
	}
}

const showHelp = `Shows all of one transaction: its command, quoted for a shell, what it read and left,
its counters, how it ended and what it cost, and the end of what it printed to stderr or
stdout. TX is its number, which log prints and which is in the name of every file that
it left. A transaction that is under way is shown as far as it is. Times are local.

The folder under work/ that the command writes to is removed when the run ends: to run
the command again by hand, name other outputs.`

func transaction(_ *invocation, c *view.Crawl, args []string) (printer, error) {
	tx, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is no number of a transaction; manager log lists them", args[0])
	}
	return c.Find(tx)
}

const lsHelp = `Lists the batches of a queue, or of all queues: which stages have read each, which still
have to, and which have failed on it. manager cat prints a batch. The batches of an
exported queue are not listed, because others may take them; the shell's ls shows what
lies there.`

func batches(_ *invocation, c *view.Crawl, args []string) (printer, error) {
	queues := c.QueueNames()
	if len(args) == 0 {
		return c.Batches(queues), nil
	}
	return c.Batches(args), known("queue", args[0], queues)
}

// looks makes a verb of what it prints of a crawl.
func looks(what func(*invocation, *view.Crawl, []string) (printer, error)) setup {
	return func(m *invocation, fs *flag.FlagSet) func([]string) error {
		asJSON := jsonFlag(fs)
		return func(args []string) error {
			c, err := m.look(args[0])
			if err != nil {
				return err
			}
			result, err := what(m, c, args[1:])
			if err != nil {
				return err
			}
			return show(m.out, *asJSON, result)
		}
	}
}

// look opens a crawl for a verb that only reads. If another script than the file is used, it says
// so on stderr.
func (m *invocation) look(path string) (*view.Crawl, error) {
	s, err := m.read(path)
	if err != nil {
		return nil, err
	}
	return m.lookAt(s)
}

// lookAt is look for a script that was read already.
func (m *invocation) lookAt(s *script.Script) (*view.Crawl, error) {
	c, err := view.Open(s, time.Now())
	if err == nil && c.Notice != m.notice {
		if m.notice = c.Notice; m.notice != "" {
			m.say(m.notice)
		}
	}
	return c, err
}

// known refuses a name that is not among those there are.
func known(kind, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return crawl.Unknown(kind, name, names)
}

// again calls do, and again after each pause, until a signal or an error comes.
func again(pause time.Duration, do func() error) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	for {
		if err := do(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
	}
}
