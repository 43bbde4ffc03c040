package main

import (
	"context"
	"flag"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/progress"
	"multitext/txlog"
)

func runVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	return func(args []string) (int, error) {
		path, err := one(args, "script")
		if err != nil {
			return crawl.ExitBad, err
		}
		s, err := load(path)
		if err != nil {
			return crawl.ExitBad, err
		}
		signals := make(chan os.Signal, 4)
		signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		return crawl.Run(context.Background(), crawl.Config{
			Script: s, Disk: txlog.OS{}, Out: m.printer(), Signals: signals,
		})
	}
}

// printer prints one line of progress where there is a terminal, plain lines
// elsewhere.
func (m *invocation) printer() *progress.Printer {
	f, ok := m.err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return progress.New(m.err, nil)
	}
	return progress.New(f, func() int {
		width, _, err := term.GetSize(int(f.Fd()))
		if err != nil {
			return 80
		}
		return width
	})
}
