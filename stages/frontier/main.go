package main

import (
	"context"
	"flag"
	"time"

	"multitext/stages/internal/frontier/order"
	"multitext/stages/internal/frontier/waiting"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/ordered"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "frontier",
		Formats: []string{ordered.Formats()},
		Short:   "holds the URLs that wait, and hands out the best of them",
		Long: `
Reads URL batches: new URLs, those that come back from fetch, what fetch and resolve learned of each
host (their -visits), what answers were worth (extract -judged), and its own wake batch. Writes to
-out one batch of the best URLs of the hosts that may be asked now, no more of a host than a run of
fetch can ask politely, with the hosts interleaved. All other URLs stay in the state. While some do, a batch in
-wake starts the stage again when more can be handed out; the stage reads that queue itself.

Orders:
  breadth   the fewest links from a seed first (attribute depth)
  depth     the most links from a seed first
  random    as chance has it, the same for the same crawl
  score     the greatest score= first, a number from 0 to 1 that any stage may set; of several records
            of a URL the greatest
  backlink  those that most fetched pages link to first (Cho, Garcia-Molina and Page 1998)
  backlink-others  the same; links from the URL's own registered domain do not count
  opic      those with most cash first: a seed has 1, and the links of a page get what it has, in
            equal parts (Abiteboul, Preda and Cobena 2003)
  pagerank  those with the greatest PageRank over fetched and pending pages first; the stage rank tells
            it, as a score=
  learned   those first that are expected to be worth most, by the words of the URL and of its link,
            the page and folder that have the link, and what that page was worth: logistic
            regression, learned from what extract -judged tells of pages that were fetched
Several make a weighted sum: -order backlink=0.7,score=0.3. Each gives a URL a number from 0 to 1;
a weight that is not given is 1.

Those from score to pagerank go by what comes in of URLs that are known already. So they need one
more input: what filter -known writes, for pagerank what rank writes, and for score any records with
known=1 and score=. A URL that waits is lifted when its number of links, or its cash, has doubled,
and when its score is greater by 1/63; it never falls. They keep an entry for each URL ever met, of
about 24 bytes, 31 with a score. With the other orders such records end here.

A host whose last answers were worth less than a half of what those of all hosts were gets a half of
its turn in a batch, below a quarter a quarter, and so on; and of what the order gives its new URLs
the same part.

In every order a URL that failed comes after those that failed fewer times.

Better URLs may come in without end, and others starve behind them. With -explore 0.05 one of twenty
goes by turns: each host that may be asked has its turn in a round over all, and hands out one URL, of
each of its bands in turn, the oldest of the band. Package waiting (explore.go) states the bound.

A -budget counts what fetch -visits tells, and as pages also the URLs that are out. What is over it
leaves: a new URL at once, one that waits at the next turn of its host. -over takes both, with
reason=over-budget. After the budget is raised, they come in again:

  manager add SCRIPT fresh CRAWL/over/*
  manager drop -product SCRIPT CRAWL/over/*

add copies the batches. Without the drop the next raise adds them a second time, and their URLs are
fetched again, for they do not pass through filter. The reason over-budget in the summary of a crawl
counts only those that were not taken in; the batches of -over have all.

A host's budget counts from the beginning of the crawl, that of a domain from when it was first given.

The order may change while a crawl is stopped. What waits stays in its place then, and -explain
still names the order of its flags: a class of 3 that came from breadth goes before one of 50 from
backlink. URLs that wait since before links were counted are not lifted; once they are counted, they
are for the whole crawl.

-explain prints, for each URL, whether it waits, in which band and why, which page has the link, how
many URLs of its host go before it, what is known of the host, and when it will be asked for at the
pace of the host. -hosts prints how many URLs wait, and the hosts that the crawl will wait for.
-check holds the parts of the state against each other, and fails as -verify does. Give -explain and
-hosts the flags that the script has: they reckon as a run with these flags would. All three read
-waiting and write nothing; MT_SECRET must name the file secret of the crawl.

Leave the flow: waits (taken into the state), known (counted), visit, judged,
wake, over-budget (not taken in), no-host, bad-visit, bad-line. The counter
waited-over-budget has those that left the state. The gauge waiting is how many URLs wait after the
run; manager status prints that of the last.

Memory: at most 128 MB, less in most runs, and the files of the state, which are mapped. What a run
takes in beyond 16 MB, or 30,000 links, goes to a file beside -new that has no name.`,
		Example: `: > waiting.list
frontier -waiting waiting.list -new waiting-1 -wake wake-1.zst -out - fresh.zst
export MT_SECRET=crawl/secret
ls crawl/state/waiting/* | frontier -explain -waiting /dev/stdin http://example.org/a
ls crawl/state/waiting/* | frontier -hosts -top 5 -waiting /dev/stdin`,
		Check: ordered.Check("segments of -waiting", waiting.Verify),
	}
}

// options are the flags of frontier.
type options struct {
	windows

	waiting, newSegment string
	out, slow, wake     string
	over                string
	budgets             budgets
	order               string
	urls                int
	explore             float64
	span                time.Duration
	delay, addressDelay time.Duration
	silence, timeout    time.Duration
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{}
	fs.StringVar(&o.waiting, "waiting", "", "read the state from the segments listed in `FILE`")
	fs.StringVar(&o.newSegment, "new", "",
		"write the new segment of the state to `FILE`; without it nothing is remembered")
	fs.StringVar(&o.out, "out", "-", "write the batch to `FILE`")
	fs.StringVar(&o.slow, "slow", "",
		"write a batch of the hosts that want a pause longer than a tenth of -for, or did not answer last, to\n"+
			"`FILE`, for a stage of fetch of their own; without it they are in -out")
	fs.StringVar(&o.wake, "wake", "", "write the batch that starts this stage again to `FILE` (needed with -new)")
	fs.StringVar(&o.order, "order", "breadth", "hand out in this `ORDER`, one of those above or a weighted sum of some")
	fs.Func("budget", "let at most PAGES answers, and answers of at most SIZE in all, be fetched of each host, or "+
		"of each\n"+
		"registered domain: `UNIT=PAGES[,SIZE]`, as in host=1000 or domain=0,2GB; 0 does not bound; may be\n"+
		"repeated for the other unit", o.budgets.set)
	fs.StringVar(&o.over, "over", "",
		"write URLs that are over their -budget to `FILE`; without it they are only counted")
	fs.IntVar(&o.urls, "urls", 4000, "hand out at most `N` URLs")
	fs.Float64Var(&o.explore, "explore", 0,
		"hand out this `SHARE` of the URLs, from 0 to 1, by turns of all hosts and bands, whatever the order says")
	fs.DurationVar(&o.span, "for", time.Minute,
		"hand out what fetch can ask for in at most `DURATION`, and in less while little waits")
	fs.DurationVar(&o.delay, "delay", time.Second,
		"expect `DURATION` between two requests to a host that was never asked")
	fs.DurationVar(&o.addressDelay, "address-delay", 100*time.Millisecond,
		"expect `DURATION` between two requests to an address; 0 bounds no address")
	fs.DurationVar(&o.timeout, "timeout", 30*time.Second,
		"expect fetch to wait a third of `DURATION`, its -timeout, for a server that does not answer")
	fs.DurationVar(&o.silence, "silence", 10*time.Second,
		"leave a host that answered nothing alone for `DURATION`, twice as long each time it still does not")
	o.windows.flags(fs)
	return func(ctx context.Context, env *stage.Env) error {
		if o.asked() {
			return o.look(ctx, env)
		}
		return o.run(ctx, env)
	}
}

// check looks at the flags.
func (o *options) check(env *stage.Env) (*order.Order, error) {
	switch {
	case o.newSegment != "" && o.wake == "":
		return nil, stage.Usagef("-wake is needed with -new: else nothing starts the stage again while URLs wait")
	case o.urls < 1:
		return nil, stage.Usagef("-urls must be at least 1")
	case !(o.explore >= 0 && o.explore <= 1):
		return nil, stage.Usagef("-explore must be from 0 to 1")
	case o.span <= 0 || o.delay < 0 || o.addressDelay < 0 || o.silence <= 0 || o.timeout <= 0:
		return nil, stage.Usagef("-for, -timeout and -silence must be above 0, -delay and -address-delay not below it")
	case o.delay >= o.span:
		return nil, stage.Usagef("-delay %v must be below -for %v: else no host has a turn", o.delay, o.span)
	}
	by, err := order.New(o.order, env.Hash)
	if err != nil {
		return nil, stage.Usagef("-order: %w", err)
	}
	if by.Counts() {
		env.Needs(stage.Links, "-order "+o.order+" goes by the links to URLs that are known already, which do not "+
			"come to this stage: give filter -known {known}, and put known into its out and into the in of this stage")
	}
	if by.Ranks() {
		env.Needs(stage.Ranks, "-order "+o.order+" goes by ranks, which do not come to this stage: "+
			"add the stage rank (go doc ./stages/rank), and put its queue ranked into the in of this stage")
	}
	return by, env.Ready()
}
