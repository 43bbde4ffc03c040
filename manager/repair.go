package main

import (
	"flag"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
	"multitext/txlog"
)

const repairHelp = `Rebuilds the log of a crawl that no start accepts, as the log is damaged, gone, or an
older copy: from what the checksums of its lines and of those in history/ still prove, and
from the files in queues and states. One changed bit in a line is put right. What a lost
transaction has left is taken in; what is gone is let go of. It says what it did, in a
transaction, too, and what cannot be known: some work may be done again. The damaged log
stays in history/. A log that a start accepts is left alone. Copy the directory first;
with -n it says what it would do, and does nothing.`

func repairVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	dry := fs.Bool("n", false, "say what it would do, and do nothing")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		s, err := view.Script(path, m.vars.list)
		if err != nil {
			return codeOf(err), err
		}
		err = crawl.Repair(s, txlog.OS{}, *dry, func(text string) { terminal.Line(m.out, "%s", text) })
		return crawl.ExitCode(err), err
	}
}
