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
//	bin/c4 measure examples/c4/crawl/*
//
// prints the measures of parallel crawlers for a crawl: how often pages were fetched in vain, what
// was sent, and how even the loads are (package multitext/examples/internal/measures).
//
// The exit code is 0 when all were quiet, 1 when a manager failed or batches were left that their
// crawler does not take, 2 for wrong usage, 4 when it was stopped.
package main

import (
	"context"
	"errors"
	"fmt"
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
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// errStopped says that somebody wanted it to end.
var errStopped = errors.New("stopped; run it again to go on")

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	verb := ""
	if len(args) > 0 {
		verb, args = args[0], args[1:]
	}
	switch verb {
	case "run":
		o, err := parseOptions(args, stderr)
		if err != nil {
			return exit.Misused(stderr, "c4 run", err)
		}
		return ended(stderr, o.crawl(ctx, stderr))
	case "measure":
		o, err := parseMeasureOptions(args, stderr)
		if err != nil {
			return exit.Misused(stderr, "c4 measure", err)
		}
		return ended(stderr, o.measure(ctx, stdout, stderr))
	case "-h", "--help", "help":
		fmt.Fprint(stderr, help)
		return 0
	}
	return exit.Misused(stderr, "c4", fmt.Errorf("%q is no verb: want c4 run or c4 measure", verb))
}

// help lists the verbs.
const help = `c4 runs the crawlers of a collaboration on one machine.

    c4 run [flags] [FOLDER]      runs them until all are quiet
    c4 measure [flags] [DIR...]  prints overlap, coverage, quality, overhead and load of a crawl

c4 VERB -h shows the flags of a verb.
`

// ended is the exit code of a verb that ended with err.
func ended(stderr io.Writer, err error) int {
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
