// Command starve measures how many pages the healthy hosts of a web lose to one that takes the time
// of a crawl.
//
//	go build -o bin/ ./... && bin/starve -for 60s
//
// Sixty healthy hosts are crawled at default politeness: once alone, and once beside each kind of
// host that starves the others (go doc multitext/examples/testweb has what each does; -list names
// the rows). Each row takes -for, and a second or two more. What is printed is how many URLs of the
// healthy hosts the web had answered by then, each counted once, and which share that is of what
// they were alone.
//
// The crawl is crawl.toml in this folder: the tour's, with a frontier, and with the defaults of all
// stages but for those that bound an address, since all hosts of the web are at one. -queue crawls
// with scramble and batch instead, for comparison. Another script, say a changed one of -print, is
// tried with -script, another build with -bin.
//
// Rows that are crawled one after the other are only comparable if nothing else uses the machine.
// On a busy machine, -together crawls them at the same time: what disturbs one, disturbs all.
// -faster 10 makes a row of half a minute like one of five, except for what the programs themselves
// take.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"multitext/examples/internal/exit"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options is the command line.
type options struct {
	span              time.Duration
	rows              []row
	self              string // folder of starve, and of testweb
	bin, dir, script  string
	healthy, siteSize int
	faster            int
	queue, together   bool
}

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseOptions(args, stdout)
	if err != nil {
		return exit.Misused(stderr, "starve", err)
	}
	return exit.Ended(stderr, "starve", o.table(ctx, stdout))
}

func parseOptions(args []string, stdout io.Writer) (*options, error) {
	o := &options{rows: rows()}
	fs := flag.NewFlagSet("starve", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.DurationVar(&o.span, "for", 5*time.Minute, "crawl each row for `DURATION`")
	fs.Func("rows", "measure the rows in `LIST` only, commas between", o.choose)
	fs.IntVar(&o.healthy, "hosts", 60, "number of healthy hosts")
	fs.IntVar(&o.siteSize, "pages", 1000, "pages of each; more than a crawl can have in the time of a row")
	fs.StringVar(&o.bin, "bin", "",
		"`FOLDER` of the manager and the stages (default that of starve, where testweb has to be)")
	fs.StringVar(&o.dir, "dir", os.TempDir(), "`FOLDER` to work in")
	fs.StringVar(&o.script, "script", "", "crawl by the script `FILE` instead; it wants the var web")
	fs.BoolVar(&o.queue, "queue", false, "crawl with scramble and batch in the place of frontier")
	fs.BoolVar(&o.together, "together", false, "crawl all rows at the same time")
	fs.IntVar(&o.faster, "faster", 1,
		"divide by `N` the times for which the crawl leaves a host alone, or waits for one")
	show := fs.Bool("print", false, "print the script, to be changed and tried with -script; do nothing else")
	list := fs.Bool("list", false, "name the rows, and do nothing else")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			fs.SetOutput(stdout)
			fs.Usage()
		}
		return nil, err
	}
	switch {
	case o.span <= 0 || o.healthy < 1 || o.faster < 1 || o.faster > 100 || fs.NArg() > 0:
		return nil, errors.New("want -for above 0, -hosts of 1 or more, -faster from 1 to 100, and no argument")
	case o.queue && o.script != "":
		return nil, errors.New("-queue changes the usual script, not that of -script")
	}
	switch {
	case *list:
		for _, r := range rows() {
			fmt.Fprintf(stdout, "%-16s %s\n", r.name, r.what)
		}
		return nil, flag.ErrHelp
	case *show:
		text, err := o.scriptText()
		fmt.Fprint(stdout, text)
		return nil, cmp.Or(err, flag.ErrHelp)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the programs: %w", err)
	}
	o.self = filepath.Dir(self)
	if o.bin == "" {
		o.bin = o.self
	}
	return o, nil
}
