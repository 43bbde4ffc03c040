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
		Long: `Reads URL batches, usually from resolve. Answers go to -pages with their requests (WARC/1.1,
bytes as received). URLs that cannot be fetched now go to -again. URLs that are given up go to
-failed, with reason=NAME. Redirects are answers and are not followed. fetch does not read
robots.txt: resolve does, and in runs by hand you must.

Each failure has a name. -policy prints what the names mean, how often a URL is retried, and
when. Without -failed, URLs that are given up end here, with these names as reasons.

-visits is for the stage that decides what to request next. It has a record for each host with
URLs in the run, requested or not, in the order of the batch. A record says how often the host
was requested and how it answered, the pause between two requests, until when not to request
anything, and why it could not be reached: go doc multitext/stages/internal/traffic/visits.

Several crawlers that request from the same hosts share the delays: use -peers and -turn, or
-nodes and -node.

State: for each host the number of requests in the last hour, and until when not to request
anything; with -control predict also the rate of each server, by hours of working days and of
holidays.

Memory: 40 MB; the records of the inputs; about 500 bytes for each of their hosts (200 more
with -visits; 300 for each address with -control predict); 0.7 MB plus -max-header for each
connection of -connections (0.4 MB without TLS); three times -max-body for each core; about 40
KB for each idle connection; and with -cookies 16 MB.`,
		Example: `
echo http://example.org/ | fetch -agent 'examplebot/1.0 (+https://example.org/bot)' \
    -pages pages.warc.gz -again again.txt -failed failed.txt`,
		Check: segment.Check("segments of -load (not page batches: extract -verify)", verifyEntry),
	}
}

// options holds the values of the flags.
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
	tail                 float64 // argument of newTail
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
	otherLoad            string
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
		"`NAME` of the crawler, a whole User-Agent (required); include a way to contact its owner")
	fs.StringVar(&o.pages, "pages", "", "write the answers to `FILE` (required)")
	fs.StringVar(&o.again, "again", "", "write the URLs to fetch later to `FILE` (required)")
	fs.StringVar(&o.failed, "failed", "", "write URLs that are given up to `FILE`; without it they are only counted")
	fs.StringVar(&o.visits, "visits", "",
		"write to `FILE` what the run learned about its hosts, a record for each host")
	fs.StringVar(&o.load, "load", "",
		"read the state from the segments listed in `FILE`: requests to each host in the last hour, and the\n"+
			"rates of servers")
	fs.StringVar(&o.otherLoad, "other-load", "",
		"also leave a host alone for as long as the state of another stage of fetch says, whose segments\n"+
			"`FILE` lists")
	fs.StringVar(&o.newSegment, "new", "",
		"write the new segment of the state to `FILE`; without it no state is kept")
	fs.Float64Var(&o.share, "share", 0.002,
		"put off URLs whose host had at least `SHARE` of the requests of the last hour (of 41,667 or,\n"+
			"if there were more, of all), or twice its fair share if that is more; 0 puts off none")
	fs.StringVar(&o.ca, "ca", "", "also trust the certificates in the PEM `FILE`")
	fs.StringVar(&o.operator, "operator", "", "write `TEXT`, the name and address of the operator, to the archive")
	o.info = stage.StringsVar(fs, "info",
		"add `KEY=VALUE` to the archive's warcinfo, as in isPartOf=my-crawl; may be repeated")
	fs.BoolVar(&o.identity, "identity", false, "request bodies without compression")
	fs.BoolVar(&o.cookies, "cookies", false, "send back cookies that servers set in this run; none are kept after it")
	fs.DurationVar(&o.span, "for", 10*time.Minute, "start no request after `DURATION`; the remaining URLs go to -again")
	fs.Float64Var(&o.tail, "tail", 10,
		"when a run has taken `N` times the cost of the next one, -delay plus 0.2s, and fewer than half\n"+
			"of its hosts have URLs left, send these to -again and do not wait for their hosts; 0 waits\n"+
			"until -for is over")
	fs.DurationVar(&o.delay, "delay", time.Second,
		"wait `DURATION` between two requests to a host, and before the first")
	fs.Float64Var(&o.slowness, "slowness", 5,
		"wait for a slow host `N` times as long as its last answer took")
	fs.DurationVar(&o.maxDelay, "max-delay", 30*time.Second,
		"maximum `DURATION` to which -slowness, 429 and 503 may raise the delay of a host")
	fs.DurationVar(&o.addressDelay, "address-delay", 100*time.Millisecond,
		"wait `DURATION` between two requests to an address, for any of its hosts")
	fs.DurationVar(&o.timeout, "timeout", 30*time.Second,
		"wait at most `DURATION` for a connection, for a handshake, for a whole header,\n"+
			"and for each further piece of a body")
	fs.DurationVar(&o.pageTimeout, "page-timeout", 2*time.Minute, "cut answers that take longer than `DURATION`")
	o.leastRate = stage.RateVar(fs, "least-rate", 1000,
		"after a third of -timeout, cut an answer slower than `RATE` if other requests wait\n"+
			"for one of -connections, or the run is at its -tail; 0 cuts none")
	fs.IntVar(&o.connections, "connections", 64, "at most `N` requests at once, including answers not yet written")
	fs.IntVar(&o.perHost, "per-host-connections", 1, "make at most `N` requests at once to one host")
	fs.IntVar(&o.perAddress, "per-address-connections", 4,
		"make at most `N` requests at once to one address; 0 means no limit")
	fs.Func("retry", "set after how many failures of a kind a URL is given up, and the wait after the first:\n"+
		"`REASON=TRIES[,WAIT]`, as in '*=2' or reset=3,10s; may be repeated", o.policy.set)
	fs.DurationVar(&o.patience, "patience", 7*24*time.Hour,
		"give up a URL if its host still allows no requests `DURATION` after the URL was first put off for this")
	fs.BoolVar(&o.printPolicy, "policy", false,
		"print the failures, what they mean, how often a URL is retried, the first wait and all waits\n"+
			"of a URL together, and do nothing else")
	o.maxBody = stage.SizeVar(fs, "max-body", 10e6, "cut bodies longer than `SIZE` as received")
	o.maxHeader = stage.SizeVar(fs, "max-header", 64e3, "reject answers whose header is longer than `SIZE`")
	o.peers.flags(fs)
	o.pace.flags(fs)
	o.dialer.Flags(fs)
	return o.run
}
