// Command c4 runs the crawlers of a collaboration on one machine: a manager for each node of
// nodes.toml, each with a folder of its own, all by one script.
//
//	go build -o bin/ ./... && bin/c4 run examples/c4
//
// It starts a web to crawl and trains a classifier on pages of another such web, if there is none
// yet. Then it starts the managers. A manager ends when it has nothing to do; when another crawler
// holds something for it in its outgoing folder, it is started again. When in two rounds in a row
// no manager runs and nothing lies in any outgoing folder, all have been quiet, and the crawl is
// over.
//
// It keeps nothing that matters: killed, with the managers or without, it is run again and goes on.
// A manager dies with it; ^C lets the stages that run come to their end, a second ^C ends them,
// too.
//
// On several machines none of it is needed: there the managers are started by systemd or Slurm, as
// README.md says.
//
// The exit code is 0 when all were quiet, 1 when a manager failed or batches were left that their
// crawler does not take, 2 for wrong usage, 4 when it was stopped.
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"multitext/examples/internal/exit"
)

func main() {
	runtime.LockOSThread() // what this thread starts dies with it: see crawler.start
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // the second ^C ends it, and with it, by their second signal, the managers' stages
	os.Exit(run(ctx, os.Args[1:], os.Stderr))
}

// errStopped says that somebody wanted it to end.
var errStopped = errors.New("stopped; run it again to go on")

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return exit.Misused(stderr, "c4", err)
	}
	err = o.crawl(ctx, stderr)
	code := exit.Ended(stderr, "c4", err)
	if errors.Is(err, errStopped) {
		return 4
	}
	return code
}

// crawl does all of it.
func (o *options) crawl(ctx context.Context, stderr io.Writer) error {
	names, err := readNodes(o.path("nodes.toml"))
	if err != nil {
		return err
	}
	if err := o.train(ctx, stderr); err != nil {
		return err
	}
	if o.serve {
		endWeb, err := o.startWeb()
		if err != nil {
			return err
		}
		defer endWeb()
	}
	c := newCollaboration(o, names, stderr)
	if err := c.untilQuiet(ctx); err != nil {
		return err
	}
	return c.summary(stderr)
}
