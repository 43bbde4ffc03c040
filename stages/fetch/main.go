package main

import (
	"flag"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/traffic/dial"
)

func main() { stage.Main(tool(), setup) }

func tool() stage.Tool {
	return stage.Tool{
		Name:    "fetch",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "fetches URLs, politely, into WARC files",
		Long: `
Reads URL batches, best those that resolve has written. Each answer goes with its request
to -pages (WARC/1.1, bytes as on the wire); URLs that cannot be fetched now go to -again; those
given up to -failed, with reason=NAME. Redirects are answers and are not followed.
robots.txt is resolve's work: by hand, it is yours.

Each failure has a name; -policy tells what it means, how often it is tried again and when.
Without -failed URLs that are given up leave the flow under these names.

-visits is for the stage that decides what is asked next: a record for each host that the run had
URLs of, asked or not, in the order of the batch. It tells how often the host was asked and how it
answered, the pause between two requests to it, until when it is to be left alone, and why it could
not be reached: go doc multitext/stages/internal/traffic/visits.

Several crawlers that may ask the same hosts keep the distance together: -peers and -turn, or
-nodes and -node.

State: what each host was asked in the last hour, and until when it is to be left alone; with
-control predict also the rate of each server, by hours of working days and of holidays.

Memory: 40 MB, the records of the inputs, some 500 bytes for each of their hosts (200 more with
-visits; 300 for each address with -control predict), 0.7 MB and -max-header for each of
-connections (0.4 MB without TLS), three times -max-body for each core, some 40 KB for each
connection that is kept, and with -cookies 16 MB.`,
		Example: `
echo http://example.org/ | fetch -agent 'examplebot/1.0 (+https://example.org/bot)' \
    -pages pages.warc.gz -again again.txt -failed failed.txt`,
		Check: segment.Check("segments of -load (not page batches: extract -verify)", verifyEntry),
	}
}

// options are the flags of fetch.
type options struct {
	agent                string
	pages, again, failed string
	visits               string
	ca                   string
	operator             string
	info                 *[]string
	identity             bool
	cookies              bool
	span                 time.Duration
	tail                 float64 // of newTail
	delay, addressDelay  time.Duration
	slowness             float64
	maxDelay             time.Duration
	timeout, pageTimeout time.Duration
	connections          int
	perHost, perAddress  int
	policy               policy
	patience             time.Duration
	printPolicy          bool
	load, newSegment     string
	share                float64
	maxBody, maxHeader   *stage.Size
	leastRate            *stage.Rate
	pace                 pace
	peers                peers
	dialer               dial.Dialer
}

func setup(fs *flag.FlagSet) stage.Body {
	o := &options{policy: newPolicy()}
	fs.StringVar(&o.agent, "agent", "",
		"call the crawler `NAME`, a whole User-Agent (needed); say in it where its owner is found")
	fs.StringVar(&o.pages, "pages", "", "write the answers to `FILE` (needed)")
	fs.StringVar(&o.again, "again", "", "write the URLs to be fetched later to `FILE` (needed)")
	fs.StringVar(&o.failed, "failed", "", "write the URLs given up to `FILE`; without it they are only counted")
	fs.StringVar(&o.visits, "visits", "",
		"write what the run learned of each host that it had URLs of to `FILE`, a record each")
	fs.StringVar(&o.load, "load", "",
		"read the state from the segments listed in `FILE`: what each host was asked in the last hour, and the\n"+
			"rates of servers")
	fs.StringVar(&o.newSegment, "new", "",
		"write the new segment of the state to `FILE`; without it nothing is remembered")
	fs.Float64Var(&o.share, "share", 0.002,
		"put URLs off when their host has got such a `SHARE` of the requests of the last hour (of 41,667 or,\n"+
			"if there were more, of all), or twice its fair share if that is more; 0 puts none off")
	fs.StringVar(&o.ca, "ca", "", "trust the certificates in the PEM `FILE` too")
	fs.StringVar(&o.operator, "operator", "", "say in the archive that `TEXT` runs the crawl, a name with an address")
	o.info = stage.StringsVar(fs, "info",
		"say more in the archive's warcinfo, `KEY=VALUE` as isPartOf=my-crawl; may be repeated")
	fs.BoolVar(&o.identity, "identity", false, "ask for bodies without compression")
	fs.BoolVar(&o.cookies, "cookies", false, "send back the cookies that servers set in this run; none live longer")
	fs.DurationVar(&o.span, "for", 10*time.Minute, "start no request after `DURATION`; what is left goes to -again")
	fs.Float64Var(&o.tail, "tail", 10,
		"when a run has taken `N` times what the next one costs, -delay and 0.2s, and fewer than half\n"+
			"of its hosts have URLs left, send these to -again rather than wait for their hosts; 0 waits\n"+
			"until -for is over")
	fs.DurationVar(&o.delay, "delay", time.Second,
		"leave a host alone for `DURATION` between two requests, and before the first")
	fs.Float64Var(&o.slowness, "slowness", 5,
		"leave a slow host alone for `N` times the time that its last answer took")
	fs.DurationVar(&o.maxDelay, "max-delay", 30*time.Second,
		"let -slowness, 429 and 503 make a host's delay no longer than `DURATION`")
	fs.DurationVar(&o.addressDelay, "address-delay", 100*time.Millisecond,
		"leave an address alone for `DURATION`, whichever of its hosts is asked")
	fs.DurationVar(&o.timeout, "timeout", 30*time.Second,
		"wait at most `DURATION` for a connection, for a handshake, for a whole header,\n"+
			"and for each further piece of a body")
	fs.DurationVar(&o.pageTimeout, "page-timeout", 2*time.Minute, "cut an answer that takes longer than `DURATION`")
	o.leastRate = stage.RateVar(fs, "least-rate", 1000,
		"cut an answer that comes slower than `RATE` when a third of -timeout is over and others wait\n"+
			"for it: for one of -connections, or for the end of a run at its -tail; 0 cuts none")
	fs.IntVar(&o.connections, "connections", 64, "hold at most `N` requests, those under way and answers to be written")
	fs.IntVar(&o.perHost, "per-host-connections", 1, "make at most `N` requests at once to one host")
	fs.IntVar(&o.perAddress, "per-address-connections", 4,
		"make at most `N` requests at once to one address; 0 is no bound")
	fs.Func("retry", "give a URL up after so many failures of a kind, and wait so long after the first:\n"+
		"`REASON=TRIES[,WAIT]`, as '*=2' or reset=3,10s; may be repeated", o.policy.set)
	fs.DurationVar(&o.patience, "patience", 7*24*time.Hour,
		"give a URL up when its host still wants to be left alone `DURATION` after it was first put off for that")
	fs.BoolVar(&o.printPolicy, "policy", false,
		"print the failures, what they mean, how often they are tried again, the first wait and all waits\n"+
			"of a URL together, and do nothing else")
	o.maxBody = stage.SizeVar(fs, "max-body", 10e6, "cut bodies longer than `SIZE` on the wire")
	o.maxHeader = stage.SizeVar(fs, "max-header", 64e3, "take no answer whose header is longer than `SIZE`")
	o.peers.flags(fs)
	o.pace.flags(fs)
	o.dialer.Flags(fs)
	return o.run
}
