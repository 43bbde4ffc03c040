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

const runHelp = `Runs the crawl until nothing is left to do. A crawl that was stopped or has crashed
goes on where it was: there is no other way to resume.

It begins as manager check does: a script that has an error, or arguments that a stage
refuses, starts nothing.

The first SIGINT, SIGTERM or SIGHUP lets the running stages finish; the second ends
them and rolls them back. A run that fails after the manager was told to stop, or just
before, does not count as a failure: systemd signals every process of a unit. With -n
the manager says what a start would do, and does nothing.

A crawl belongs to one user: another's directory is refused, and root is warned.

With -var one script runs many crawls: manager run -var node=arts SCRIPT, where the
script has dir = "crawl/{node}" and a var node. Values can be read in the log and,
while a stage runs, with ps, so give secrets to a stage by its env.`

func runVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "say what a start would do, and do nothing")
	asJSON := fs.Bool("json", false, "with -n: print JSON")
	return func(args []string) error {
		path := args[0]
		if *asJSON && !*dry {
			return fmt.Errorf("%w: -json goes with -n", errUsage)
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
			m.say("warning: this is root, and so is every program of the script; run it as a user of its own")
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

// foretell says what a start would do, or why it would be refused.
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

const recoverHelp = `Says what the next start would roll back and finish after a crash, and does nothing.
manager run does it; nothing has to be done by hand. Live files that are not as the log
says are listed, with exit code 5.`

func recoverVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "say it and do nothing; required")
	asJSON := jsonFlag(fs)
	return func(args []string) error {
		if !*dry {
			return fmt.Errorf("%w: recovery is part of every start: %s does it; "+
				"manager recover -n says what it will do", errUsage, m.call("run", args[0]))
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

const repairHelp = `Rebuilds the log of a crawl that no start accepts because the log is damaged, gone, or
an older copy. It uses the lines of the log and of history/ whose checksums are right,
and the files in queues and states. It corrects one changed bit in a line. It takes in
the files that a lost transaction has left, and forgets files that are gone. It prints
what it did and what cannot be known, and logs that as a transaction; some work may be
done again. The damaged log stays in history/. A log that a start accepts is left
alone. Copy the directory first. With -n it says what it would do, and does nothing.`

func repairVerb(m *invocation, fs *flag.FlagSet) func([]string) error {
	dry := fs.Bool("n", false, "say what it would do, and do nothing")
	return func(args []string) error {
		s, err := m.read(args[0])
		if err != nil {
			return err
		}
		err = crawl.Repair(s, m.disk, *dry, func(text string) { terminal.Line(m.out, "%s", text) })
		return exit(crawl.ExitCode(err), err)
	}
}
