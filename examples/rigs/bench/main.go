package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"syscall"

	"multitext/examples/internal/exit"
)

// All processes are started by the first thread, as endWithUs wants it.
func init() { runtime.LockOSThread() }

func main() {
	// Whatever ends it, bench takes its folder away: a closed terminal, too, or a reader that has
	// gone.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP,
		syscall.SIGPIPE)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stderr)
	if err != nil {
		return exit.Misused(stderr, "bench", err)
	}
	if o.inside {
		if err := furnish(slices.Max(o.hosts)); err != nil {
			fmt.Fprintln(stderr, "bench:", err)
			return exitBare
		}
	} else {
		code, err := enclose(ctx, args, stdout, stderr)
		if err == nil && code != exitBare {
			return code
		}
		if err != nil {
			fmt.Fprintln(stderr, "bench:", err)
		}
		fmt.Fprintln(stderr, "bench: no namespaces of its own; other crawlers are left out")
		o.peers = nil
	}
	err = compare(ctx, o, stdout, stderr)
	if ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	return exit.Ended(stderr, "bench", err)
}

// exitBare is the exit code of the bench inside where its namespaces can not be made fit for
// crawls.
const exitBare = 3
