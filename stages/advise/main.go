package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"multitext/stages/internal/frontier/simulate"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/stage"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:  "advise",
		Short: "says which order would have found the wanted pages of a crawl first",
		Long: `
Reads URL batches: the links of all pages that a crawl has fetched, with via= and depth=. Crawls
their graph in memory, from the same seeds, in each order, and prints a table: how many pages are
fetched until 25, 50, 75 and 90 % of the wanted pages are.

A page is a URL that is the via= of a link. Links to others are left out, so pages without links do
not count. Read the worths of extract -judged with the links, and the pages of these are there as
well, and links have the worth of their page in the order score.

Wanted are the 5 % of the pages to which most pages link, or those of -hottest, -wanted or -match.

Orders: those of frontier -order, and weighted sums of them with -order. score is there where links
have score=, or pages a worth; pagerank is the PageRank of fetched and pending pages, computed anew when there are a
tenth more links. With -order learned each page that is fetched is judged: without worths a wanted one is worth 1,
another 0; so the yield of the hosts counts, too. oracle is no order that a crawl can have: it goes
by the links of the whole graph, or
knows which pages are wanted.

-exact crawls without the 64 classes that frontier has: what they cost is the difference. It knows
neither sums nor hosts.

-crawlers shows what a collaboration costs whose crawlers go by their own links, and by those that
they send each other. The partitions are those of classify links -by, and the modes:

  -others send     exchange mode: a link to a page of another goes to it, at the next -exchange
  -others drop     firewall mode: it is dropped
  -others aside    cross-over mode: it is followed when no page of the crawler's own waits
  -by none         independent mode: no page is another's

With -tsv it prints, for each order and share of -hottest, a line for each per cent of the pages: the
share of the wanted that was found by then. With -fetched it prints the crawls themselves: the order
and the URL of each page that is fetched, one behind the other, without the oracle; and the file of
the seeds where there are several. Where MT_SECRET
names the file secret of a crawl, random and hosts that are equal otherwise are as they are there.

Memory: some 200 bytes for each URL that the links name, 4 bytes a link, and at most 1 GB for what
waits in a crawl; of several crawlers some 40 bytes for each URL that one sends or puts aside, and of
those that may fetch the same pages 9 bytes a page each.`,
		Example: `extract -links links.zst examples/tour/crawl/archive/*.warc.gz
advise links.zst
advise -match '/d0/' -urls 10 links.zst
advise -crawlers 4 -others drop -fetched -counts -order breadth links.zst`,
	}
}

// options are the flags of advise.
type options struct {
	seeds, wanted, match, hottest string
	urls, pages                   int
	delay, span                   time.Duration
	orders                        string
	hubs                          int
	shared
	exact, fetched, tsv bool

	pattern *regexp.Regexp
	shares  []float64
	hash    *keyed.Hash
	done    map[string]*simulate.Outcome // by order
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{done: map[string]*simulate.Outcome{}}
	fs.StringVar(&o.seeds, "seeds", "", "begin with the URLs in `FILE`, not with the seeds of the crawl;\n"+
		"with -fetched with those of a list with commas, each in turn")
	fs.StringVar(&o.hottest, "hottest", "5",
		"want these `PERCENT` of the pages, those that most pages link to; of a list with commas each in turn")
	fs.StringVar(&o.wanted, "wanted", "", "want the URLs in `FILE`")
	fs.StringVar(&o.match, "match", "", "want the URLs that match `REGEXP`")
	fs.IntVar(&o.urls, "urls", 100, "fetch at most `N` URLs before their links are known")
	fs.IntVar(&o.pages, "pages", 0,
		"with -fetched: end a crawl when `N` pages are fetched, with the batch; 0: when all are")
	fs.DurationVar(&o.delay, "delay", 0,
		"leave `DURATION` between two requests to a host; 0: hosts may be asked at any time")
	fs.DurationVar(&o.span, "for", time.Minute,
		"with -delay: fetch what can be asked for in `DURATION`, at most, before the links are known")
	fs.StringVar(&o.orders, "order", "",
		"crawl in these `ORDERS` and the oracle's, with blanks between them, not in all")
	fs.BoolVar(&o.exact, "exact", false, "keep the orders exactly, without classes")
	o.shared.declare(fs)
	fs.IntVar(&o.hubs, "hubs", 0,
		"with worths: in the order score, what the `N` best hubs link to comes first, as by distill -hubs; 0: nothing")
	fs.BoolVar(&o.fetched, "fetched", false, "print which pages are fetched, in their order")
	fs.BoolVar(&o.tsv, "tsv", false, "print the whole curves, as tab-separated values")
	return func(ctx context.Context, env *stage.Env) error {
		env.NoReport = true
		if err := o.check(); err != nil {
			return err
		}
		if err := env.Ready(); err != nil {
			return err
		}
		o.hash = env.Hash
		return o.advise(ctx, env)
	}
}

// check looks at the flags.
func (o *options) check() (err error) {
	switch {
	case o.urls < 1 || o.pages < 0:
		return stage.Usagef("-urls must be at least 1, -pages 0 or more")
	case !o.fetched && (o.pages > 0 || o.counts || strings.Contains(o.seeds, ",")):
		return stage.Usagef("-pages, -counts, and a list of -seeds, work only with -fetched")
	case o.delay < 0 || o.span <= o.delay:
		return stage.Usagef("-delay must not be below 0, and below -for")
	case o.hubs < 0 || o.hubs > 1000:
		return stage.Usagef("-hubs must be from 0 to 1000")
	case o.exact && (o.delay > 0 || o.crawlers > 1 || o.counts):
		return stage.Usagef("-exact knows no hosts: remove -delay, -crawlers and -counts")
	case o.wanted != "" && o.match != "":
		return stage.Usagef("-wanted and -match do not work together")
	}
	if o.match != "" {
		if o.pattern, err = regexp.Compile(o.match); err != nil {
			return stage.Usagef("-match: %w", err)
		}
	}
	for _, text := range strings.Split(o.hottest, ",") {
		share, err := strconv.ParseFloat(text, 64)
		if err != nil || !(share > 0 && share <= 100) {
			return stage.Usagef("-hottest: %q is no number of per cent", text)
		}
		o.shares = append(o.shares, share/100)
	}
	return o.shared.check()
}

// advise crawls in each order and prints what came of it.
func (o *options) advise(ctx context.Context, env *stage.Env) error {
	links, err := readLinks(ctx, env)
	if err != nil {
		return err
	}
	if o.hubs > 0 && links.worth == nil {
		return errors.New("-hubs needs records with worth=: read those that extract -judged wrote, too")
	}
	if err := o.shared.read(ctx, env, links); err != nil {
		return err
	}
	if o.fetched {
		return o.printFetched(ctx, env, links)
	}
	seeds, err := o.seedsOf(ctx, env, links, o.seeds)
	if err != nil {
		return err
	}
	wants, err := o.wants(ctx, env, links)
	if err != nil {
		return err
	}
	if o.tsv {
		fmt.Fprintln(env.Stdout, "wanted\torder\tfetched %\tfound %")
	}
	for _, want := range wants {
		crawls, err := o.crawls(ctx, links, seeds, want)
		if err != nil {
			return err
		}
		if o.tsv {
			err = printCurves(env.Stdout, want, crawls)
		} else {
			err = o.print(env.Stdout, links, seeds, want, crawls)
		}
		if err != nil {
			return fmt.Errorf("print the table: %w", err)
		}
	}
	return nil
}
