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

const statusHelp = `Prints whether a manager runs the crawl, what each stage does and why it is not started,
what each queue contains, and which batches were set aside and why. It also prints which
files in the queues are not in the log. The manager never touches these files.

A stage is running, waiting, held, resting or idle. If it is waiting, status prints the
condition that is not met, or none if only a running manager is missing. A stage is held
if its batches are not due yet. It rests after failures.
READY, HELD and ASIDE count the batches that wait for the stage. WAITING counts the
records in the ready and held batches; a + means that the records of some batches are
unknown. PER S is the number of records that the stage read per second, over the last
half hour or since the last checkpoint of the log. The time left is the time that the
slowest stage needs at this pace. It is a lower bound, because a running crawl finds
more records.
OWED counts the due batches of a queue that some reader has not read; full counts the
same batches. RUNS counts the committed runs. FAILED counts the failed runs, without
those that were stopped or exited with "try later". RECORDS EVER counts all records since
the crawl began. It is the only count for an exported queue, because others may take its
batches. Counters in parentheses do not tell where records went. "-" is none or unknown.`

// redraw is the interval at which -watch prints the status.
const redraw = time.Second

func statusVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	asJSON := jsonFlag(fs)
	watch := fs.Bool("watch", false, "print the status again every second, until interrupted")
	fs.BoolVar(watch, "w", false, "short for -watch")
	return func(args []string) error {
		var failures view.AsideRuns
		status := func(w io.Writer) error {
			c, err := m.look(args[0])
			if err != nil {
				return err
			}
			if err := failures.Explain(c); err != nil {
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

const whyHelp = `Checks every condition that must be met before the stage starts, or starts another run
while it runs. The scheduler uses the same list of conditions. why also prints which runs
are in progress. It does not print two conditions, because only the running manager knows
them: that the manager is stopping, and that a stage rests because its program could not
be started.`

func why(m *invocation, c *view.Crawl, args []string) (printer, error) {
	if err := known("stage", args[0], c.Script.StageNames()); err != nil {
		return nil, err
	}
	return c.Why(args[0], m.call("run", terminal.Near(c.Script.Path))), nil
}

const logHelp = `Prints every transaction that has ended, in the order in which they ended. The list
includes those in the old log files of history/. It includes committed transactions and
aborted ones, which changed nothing. The output is TSV; its first line contains the names
of the columns. With -json it is one object a line. "-" is unknown or none. Times are
UTC; cpu and wall are in seconds, memory and bytes in bytes.`

// followEvery is the interval at which -f checks whether the log has grown.
const followEvery = 300 * time.Millisecond

func logVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	follow := fs.Bool("f", false, "keep printing new transactions, until interrupted")
	stage := fs.String("stage", "", "only transactions of this `stage`")
	asJSON := jsonFlag(fs)
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

const showHelp = `Prints everything about one transaction: its command, quoted for a shell, its inputs and
outputs, its counters, how it ended, the resources that it used, and the last part of its
stderr or stdout. TX is the number of the transaction. log prints this number, and the
name of every file that the transaction wrote contains it. For a transaction in progress,
show prints what is known so far. Times are local.

The command writes to a folder under work/, which the manager deletes when the run ends.
To run the command again by hand, replace the paths of its outputs.`

func transaction(_ *invocation, c *view.Crawl, args []string) (printer, error) {
	tx, err := strconv.ParseUint(args[0], 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is not the number of a transaction; manager log lists them", args[0])
	}
	return c.Find(tx)
}

const lsHelp = `Lists the batches of a queue, or of all queues. For each batch it prints which stages have
read it, which stages have yet to read it, and which have failed on it. manager cat prints
the content of a batch. ls does not list the batches of an exported queue, because others
may take them; use the shell's ls for that folder.`

func batches(_ *invocation, c *view.Crawl, args []string) (printer, error) {
	queues := c.QueueNames()
	if len(args) == 0 {
		return c.Batches(queues), nil
	}
	return c.Batches(args), known("queue", args[0], queues)
}

// looks returns the setup of a verb that calls what for a crawl and prints the result.
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

// look opens a crawl for a verb that only reads it. If the crawl uses another script than the file,
// look prints that on stderr.
func (m *invocation) look(path string) (*view.Crawl, error) {
	s, err := m.read(path)
	if err != nil {
		return nil, err
	}
	return m.lookAt(s)
}

// lookAt does the same as look, for a script that was read already.
func (m *invocation) lookAt(s *script.Script) (*view.Crawl, error) {
	c, err := view.Open(s, time.Now())
	if err == nil && c.Notice != m.notice {
		if m.notice = c.Notice; m.notice != "" {
			m.say(m.notice)
		}
	}
	return c, err
}

// known returns an error if names does not contain name.
func known(kind, name string, names []string) error {
	if slices.Contains(names, name) {
		return nil
	}
	return crawl.Unknown(kind, name, names)
}

// again calls do repeatedly, with a pause between calls, until a signal arrives or do fails.
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
