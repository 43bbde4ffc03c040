package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/terminal"
	"multitext/txlog"
)

const runHelp = `Runs the crawl until nothing is left to do. A crawl that was stopped or has
crashed is taken up where it was left: there is no other way to resume.

It begins with what manager check does: a script with an error, or with arguments
that a stage refuses, starts nothing.

The first SIGINT, SIGTERM or SIGHUP lets the running stages finish; the second ends
them and rolls them back. A run that fails once the manager is told to stop, or just
before, is charged to nobody: systemd signals every process of a unit. With -n it
says what a start would do, and does nothing.

A crawl is one user's: another's directory is refused, and root is warned.

With -var one script runs many crawls: manager run -var node=arts SCRIPT, where the
script has dir = "crawl/{node}" and a var node. Values can be read in the log and,
while a stage runs, with ps: what is secret goes to a stage by its env.`

func runVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	dry := fs.Bool("n", false, "say what a start would do, and do nothing")
	asJSON := fs.Bool("json", false, "with -n: print JSON")
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		if *asJSON && !*dry {
			return crawl.ExitBad, fmt.Errorf("%w: -json goes with -n", errUsage)
		}
		s, err := m.load(path)
		if err != nil {
			return crawl.ExitBad, err
		}
		if _, err := tryArguments(s); err != nil {
			return crawl.ExitBad, err
		}
		if *dry {
			return m.foretell(s, path, *asJSON)
		}
		if os.Geteuid() == 0 {
			m.say("warning: this is root, and so is every program of the script; run it as a user of its own")
		}
		signals := make(chan os.Signal, 4)
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		return crawl.Run(crawl.Config{
			Script: s, Disk: txlog.OS{}, Out: progress.New(m.err, terminal.Width(m.err)), Signals: signals,
			Call: func(verb string) string { return m.call(verb, path) },
		})
	}
}
