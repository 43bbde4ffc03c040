package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"multitext/examples/internal/exit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return exit.Misused(stderr, "testweb", err)
	}
	switch {
	case o.topical.links || o.topical.train != "":
		err = tell(o, stdout)
	case o.reach:
		err = printReach(stdout, o)
	default:
		debug.SetGCPercent(400) // there is little to keep: 20 MB for 20,000 pages, and an eighth of the CPU time saved
		err = serve(ctx, o, stdout)
	}
	return exit.Ended(stderr, "testweb", err)
}
