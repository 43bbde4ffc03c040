package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/forecast"
	"multitext/manager/internal/programs"
	"multitext/manager/internal/progress"
	"multitext/manager/internal/runner"
	"multitext/manager/internal/terminal"
	"multitext/script"
)

const runHelp = `Runs the crawl until nothing is left to do. If the crawl was stopped or has crashed, run
continues it. There is no other way to resume a crawl.

Before it starts a stage, run makes the same checks as manager check. If the script has an
error, or if a stage refuses its arguments, run starts nothing.

After the first SIGINT, SIGTERM or SIGHUP the running stages finish; the second signal
kills them and rolls them back. If a run fails after such a signal, or just before, this
does not count as a failure, because systemd signals every process of a unit. With -n the
manager prints what a start would do, and does nothing.

A crawl belongs to one user. The manager refuses a directory of another user, and warns if
it runs as root.

With -var one script can describe many crawls: manager run -var node=arts SCRIPT, where
the script contains dir = "crawl/{node}" and a var node. The log contains the values, and
ps shows them while a stage runs. So pass a secret to a stage through its env.`

func runVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "print what a start would do, and do nothing")
	asJSON := jsonFlag(fs)
	return func(args []string) error {
		path := args[0]
		if *asJSON && !*dry {
			return fmt.Errorf("%w: -json needs -n", errUsage)
		}
		s, err := m.load(path)
		if err != nil {
			return err
		}
		if _, err := programs.Try(s); err != nil {
			return err
		}
		if *dry {
			return m.foretell(s, path, *asJSON)
		}
		if os.Geteuid() == 0 {
			m.say("warning: the manager and every program of the script run as root; use a separate user for the crawl")
		}
		signals := make(chan os.Signal, 4)
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		code, err := runner.Run(runner.Config{
			Script: s, Disk: m.disk, Out: progress.New(m.err, terminal.Width(m.err)), Signals: signals,
			Call: func(verb string) string { return m.call(verb, path) },
		})
		return exit(code, err)
	}
}

// foretell prints what a start would do. If a start would be refused, foretell returns the reason.
func (m *invocation) foretell(s *script.Script, path string, asJSON bool) error {
	rec, holder, err := forecast.Examine(s.Dir)
	if err != nil {
		return err
	}
	if holder != nil {
		return holder
	}
	if err := crawl.Sound(s, rec); err != nil {
		return err
	}
	if err := crawl.FitsScript(s, rec.State, m.call("forget", path)); err != nil {
		return err
	}
	f, err := forecast.Of(s, rec)
	if err != nil {
		return err
	}
	return show(m.out, asJSON, f)
}

const recoverHelp = `Prints what the next start would roll back and complete after a crash, and does nothing.
The recovery itself is part of manager run; you need not do anything by hand. recover also
lists live files that differ from the log; its exit code is then 5.`

func recoverVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "print it and do nothing; required")
	asJSON := jsonFlag(fs)
	return func(args []string) error {
		if !*dry {
			return fmt.Errorf("%w: recovery is part of every start: use %s; "+
				"manager recover -n prints what it will do", errUsage, m.call("run", args[0]))
		}
		s, err := m.read(args[0])
		if err != nil {
			return err
		}
		rec, holder, err := forecast.Examine(s.Dir)
		if err != nil {
			return err
		}
		if err := show(m.out, *asJSON, forecast.RecoveryOf(rec, holder)); err != nil {
			return err
		}
		return crawl.Sound(s, rec)
	}
}

const repairHelp = `Rebuilds the log of a crawl. Use it if no start accepts the log because it is damaged,
missing, or an older copy. Make a copy of the crawl's directory first. repair uses the
lines of the log and of history/ that have a valid checksum, and the files in queues and
states. It corrects one changed bit in a line. It adds the files that a lost transaction
has written, and drops the files that are missing. It prints what it did and what it
cannot know, and logs that as a transaction. The crawl may repeat some work. The damaged
log stays in history/. repair does not change a log that a start accepts. With -n it
prints what it would do, and does nothing.`

func repairVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "print what it would do, and do nothing")
	return func(args []string) error {
		s, err := m.read(args[0])
		if err != nil {
			return err
		}
		err = crawl.Repair(s, m.disk, *dry, func(text string) { terminal.Line(m.out, "%s", text) })
		return exit(crawl.ExitCode(err), err)
	}
}
