package main

import (
	"cmp"
	"flag"
	"fmt"
	"strings"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

const lsHelp = `Lists the batches of a queue, or of all queues: who has read each, who still owes
it, and what a reader has against it. manager cat prints one. Of an exported queue
none is listed: they are others' to take, and ls, the shell's, shows what lies there.`

func lsVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		if len(args) < 1 || len(args) > 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and at most one queue, got %d arguments", errUsage, len(args))
		}
		c, code, err := m.look(args[0])
		if err != nil {
			return code, err
		}
		queues := c.QueueNames()
		if len(args) == 2 {
			if err := known("queue", args[1], queues); err != nil {
				return crawl.ExitBad, err
			}
			queues = args[1:]
		}
		batches := []view.Batch{}
		for _, q := range queues {
			batches = append(batches, c.Batches(q)...)
		}
		if *asJSON {
			return crawl.ExitDone, printJSON(m.out, batches)
		}
		m.printBatches(batches, c)
		return crawl.ExitDone, nil
	}
}

func (m *invocation) printBatches(batches []view.Batch, c *view.Crawl) {
	t := terminal.NewTable(m.out, "BATCH", "BYTES", "RECORDS", "AGE", "DUE", "READ BY", "OWED BY")
	for _, b := range batches {
		var owes []string
		for _, o := range b.Owes {
			owes = append(owes, owing(o, c))
		}
		t.Row(terminal.Near(b.Path), figure.Bytes(b.Bytes), figure.Known(b.Records), figure.Age(b.Since, c.Now), figure.Until(b.Due, c.Now),
			cmp.Or(strings.Join(b.Read, ", "), "-"), cmp.Or(strings.Join(owes, ", "), "-"))
	}
	t.Flush()
}

// owing says how a batch stands with a stage that has not read it.
func owing(o view.Owing, c *view.Crawl) string {
	var more []string
	switch o.How {
	case view.Held:
		more = append(more, "held until "+figure.Until(o.Until, c.Now))
	case view.Aside:
		more = append(more, "set aside")
	case view.Taken:
		more = append(more, "running")
	}
	if o.Failures > 0 {
		more = append(more, figure.Count(o.Failures, "failure"))
	}
	if o.Laters > 0 {
		more = append(more, fmt.Sprintf("%d times later", o.Laters))
	}
	if o.Alone {
		more = append(more, "to be run alone")
	}
	if more == nil {
		return o.Stage
	}
	return o.Stage + " (" + strings.Join(more, ", ") + ")"
}
