// Command window shows crawls in a browser, while they run and when they have ended.
//
//	window examples/tour/crawl.toml            one crawl, by its script
//	window -var node=arts -var node=law c4.toml   two crawls of one script
//	window crawls/*                            crawls by their directories, also copies
//	window -report c.toml > report.html        one file that tells what happened in a crawl
//
// It prints its address as its first line: window on http://127.0.0.1:PORT/. The pages show what
// the verbs of manager print, and are kept up to date while somebody looks at them. They need no
// JavaScript; with it they are refreshed in place.
//
// A report contains its pictures and its style. It opens from disk, without a network.
//
// window only reads: the log, history/ and the directories of queues. It takes no lock and needs no
// running manager. It is a program of its own, so that the manager, which must not die, is linked
// with no web server.
//
// # As a service of a crawl
//
// A script can start it with the crawl, and manager run prints its address:
//
//	[service.window]
//	run = "window -listen 127.0.0.1:8099 crawl.toml"
//
// Without -listen it takes a free port, another one at each start. The window ends with the crawl.
//
// # Pages
//
//	/                    all crawls, a row each; of one crawl, its overview
//	/c/NAME/             overview: what it is doing, the bottleneck, pace of stages, limits, trouble
//	/c/NAME/flow         the graph: what runs, waits or is full, and why each stage does not run
//	/c/NAME/stage/S      a stage: start conditions, charts over time, last runs, reasons and counters
//	/c/NAME/tx           transactions by stage, result and time; each leads to its inputs and outputs
//	/c/NAME/queues       queues and their batches; a batch is shown as text
//	/c/NAME/find         lines with a text in all batches and products: where a record waits or ended
//	/c/NAME/products     files of queues that no stage reads; HTML, SVG and PNG in a sandboxed frame
//	/c/NAME/report       what -report writes
//	/c/NAME/status.json  what manager status -json prints
//	/metrics             figures of all crawls for Prometheus
//
// NAME is made from the script or directory, and from a var that is given several times.
//
// # Who can see it
//
// By default it listens only on this machine. Package guard says how it keeps off the pages of
// other sites in the same browser. Other users of the machine can reach it. It has no passwords: on
// another address, put a server before it that asks for one.
//
// # Cost
//
// Nothing is read while nobody looks. The history is summed once (package past). A page is
// refreshed every second at most, and so seldom that refreshes take about 1 % of a processor,
// however large the crawl is.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"multitext/manager/internal/complete"
	"multitext/manager/internal/given"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/window/crawls"
	"multitext/manager/internal/window/guard"
	"multitext/manager/internal/window/report"
	"multitext/manager/internal/window/site"
	"multitext/script"
)

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

// collect is the value of GOGC, below Go's default: window keeps the state of crawls in memory, and
// collects seldom, because it works seldom. GOGC in the environment takes precedence.
const collect = 20

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collect)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the flags of a command line.
type options struct {
	listen string
	report bool
	hosts  []string
	vars   []script.Var
}

func (o *options) declare(fs *flag.FlagSet) {
	fs.StringVar(&o.listen, "listen", "127.0.0.1:0", "listen on `HOST:PORT`; port 0 is a free one")
	fs.BoolVar(&o.report, "report", false, "write a report of one crawl to standard output, as one HTML file, and end")
	fs.Func("host", "`NAME` by which browsers may ask for this server, besides its address and localhost; may be repeated",
		func(name string) error { o.hosts = append(o.hosts, strings.ToLower(name)); return nil })
	fs.Func("var", given.Usage+"A var that is given several times makes a crawl of each value", func(text string) error {
		v, err := given.Var(text)
		o.vars = append(o.vars, v)
		return err
	})
}

// run serves until the context ends, and returns the exit code.
func run(ctx context.Context, args []string, out, complaints io.Writer) int {
	var o options
	fs := flag.NewFlagSet("window", flag.ContinueOnError)
	if len(args) > 0 && args[0] == complete.Hidden {
		o.declare(fs)
		verb := complete.Verb{Args: "SCRIPT|DIR...", Flags: func() *flag.FlagSet { return fs }}
		(&complete.Program{Verbs: []complete.Verb{verb}}).Print(out, args[1:])
		return 0
	}
	fs.SetOutput(complaints)
	fs.Usage = func() {
		fmt.Fprint(complaints, "window [flags] SCRIPT|DIR...\n\n"+
			"Shows crawls in a browser, each by its script or its directory. It only reads.\n\n")
		fs.PrintDefaults()
	}
	o.declare(fs)
	switch err := fs.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return exitUsage
	case fs.NArg() == 0:
		fs.Usage()
		return exitUsage
	}
	all, err := crawls.Open(fs.Args(), o.vars)
	if err != nil {
		terminal.Line(complaints, "window: %v", err)
		return exitUsage
	}
	for _, c := range all {
		defer c.Close()
	}
	if o.report && len(all) != 1 {
		terminal.Line(complaints, "window: -report is of one crawl, and these are %d", len(all))
		return exitUsage
	}
	if o.report {
		err = report.Write(ctx, out, all[0])
	} else {
		err = serve(ctx, o, all, out, complaints)
	}
	if err != nil {
		terminal.Line(complaints, "window: %v", err)
		return exitFailed
	}
	return 0
}

// address returns the host and port by which a browser on this machine asks for the server, or one
// elsewhere if the user has given the server a name.
func address(at *net.TCPAddr, names []string) string {
	if !at.IP.IsUnspecified() {
		return at.String()
	}
	return net.JoinHostPort(append(names, "localhost")[0], strconv.Itoa(at.Port))
}

// serve shows the crawls until the context ends.
func serve(ctx context.Context, o options, all []*crawls.Crawl, out, complaints io.Writer) error {
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}
	pages, err := site.New(ctx, all)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: guard.Wrap(guard.Hosts(listener.Addr(), o.hosts), pages),
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10}
	if at := listener.Addr().(*net.TCPAddr); !at.IP.IsLoopback() {
		terminal.Line(complaints, "window: %s can be reached from other machines. There is no password: whoever reaches it "+
			"reads all that the crawl has fetched", listener.Addr())
	}
	terminal.Line(out, "window on http://%s/", address(listener.Addr().(*net.TCPAddr), o.hosts))
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	within, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := server.Shutdown(within); err != nil {
		return server.Close()
	}
	return nil
}
