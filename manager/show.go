package main

import (
	"errors"
	"flag"
	"fmt"
	"strconv"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/view"
)

const showHelp = `Shows one transaction whole: its command, quoted for a shell, what
it read and left, its counters, how it ended and what it cost, and the end of what
it printed, to stderr or stdout. TX is its number, as log has it and every file it left bears it. One that
is under way is shown as far as it has come. Times are local.

The folder under work/ that the command writes to goes with the run: to run the
command again by hand, name other outputs.`

func showVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		if len(args) != 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and a transaction, got %d arguments", errUsage, len(args))
		}
		tx, err := strconv.ParseUint(args[1], 10, 64)
		if err != nil {
			return crawl.ExitBad, fmt.Errorf("%q is no number of a transaction; manager log lists them", args[1])
		}
		c, code, err := m.look(args[0])
		if err != nil {
			return code, err
		}
		t, err := c.Find(tx)
		if err != nil {
			return codeOf(err), err
		}
		if t == nil {
			return crawl.ExitBad, unknownTransaction(c, tx)
		}
		if *asJSON {
			return crawl.ExitDone, printJSON(m.out, t)
		}
		writeTransaction(m.out, t, c)
		return crawl.ExitDone, nil
	}
}

func unknownTransaction(c *view.Crawl, tx uint64) error {
	switch {
	case !c.Begun:
		return errors.New("the crawl has not begun: it has no transactions")
	case tx > 0 && tx < c.State.Next:
		return fmt.Errorf("transaction %d left no line in the log: it was cut off and rolled back, or its part of the history was removed", tx)
	}
	return fmt.Errorf("there is no transaction %d; the next number is %d", tx, c.State.Next)
}
