// Command refresh decides when known pages are asked for again (thesis, section 2.5.1: "pages need to be
// re-visited more frequently than the others" where "information changes rapidly").
//
// It is one program for two stages of a crawl, and the rest of the flow stays as it is:
//
//	[stage.learn]                 # a second reader of the answers
//	in    = "unique"              # it must see all: of xdup -drop, what goes in; with -aside, both outputs
//	state = "known"
//	run   = "refresh -known {known} -new {known.new} -report {report} {in}"
//	[stage.due]                   # by the clock
//	every = "15m"
//	read  = { known = "known" }
//	out   = "due"                 # which scramble reads, beside fresh and again
//	state = "asked"
//	run   = "refresh -due {due} -known {known} -asked {asked} -new {asked.new} -report {report}"
//
// Learning, it remembers of each page when it was visited, what it was then, how often it had changed, and
// what a server needs to say "not modified". With -due it writes the URLs whose time has come. They go
// behind filter, which has seen them, and in front of scramble; a stage of restrict between the two
// narrows down what is kept fresh. What has changed comes back as any page does: its links are followed,
// the archive has both versions. What has not leaves a revisit record.
//
// # The schedule
//
// Changes are taken for a Poisson process, each page's of its own rate, as Cho and Garcia-Molina found them
// to be (The evolution of the web and implications for an incremental crawler, 2000). The interval I
// aims at the time in which the page changes with probability one half. When a visit comes gap
// after the one before, a change is expected with probability
//
//	p = 1 - 2^(-gap/I)
//
// and I is multiplied by 1.5^(2p) when there was none, by 1.5^(2p-2) when there was. Of a visit in time,
// p being one half, that is half as much again, or a third less, as in Nutch's adaptive schedule. What was to
// be expected changes little: that a page is another after a year says nothing of a page visited every
// hour. So I goes up and down around where changes are as likely as not (it is the stochastic
// approximation of Robbins and Monro, 1951), and follows a page that changes its ways: a factor of ten in six
// visits.
// It stays within -least and -most, and is -first after the first visit.
//
// A page that changes more often than -least is not caught up with, and costs no more than that: visits to
// such pages are the least use of all (Cho and Garcia-Molina, Effective page refresh policies, 2003).
//
// A last visit that lies more than an hour ahead was made by a wrong clock: the page is due at once, and the
// next visit sets it right.
//
// # What is a change
//
// A 2xx answer is another version when its payload digest is another; a redirect, when its Location is; any
// other 4xx answer than 429, when its status is. A revisit record of "server not modified", a 304, is the same version.
// 5xx, 429 and answers without digest (they were cut) say nothing: the next visit comes after the same
// interval. Many pages are never the same twice: a date, a counter, a session's number. With -alike one that xdup
// -near has marked as nearly what it was before is unchanged; but then a news page with one headline
// more is, too. Known become 2xx and 3xx answers. A page that is gone is visited on, and soon at -most.
//
// # State known, version 1
//
// The key (package keyed) is that of the URL; the value, little-endian, times in unix milliseconds:
//
//	1 byte    version = 1
//	8 bytes   time of the last visit (WARC-Date)
//	8 bytes   time of the first visit that found the version which it has now
//	8 bytes   the version: XXH64 of digest, Location or status
//	8 bytes   milliseconds from the last visit to the next
//	4 bytes   visits
//	4 bytes   visits that found a change
//	2 bytes   depth
//	2 bytes   length of the ETag, then 2 bytes: length of Last-Modified
//	          ETag, Last-Modified, and the URL, which is the rest
//
// # State asked, version 1
//
// The key is the same, the value 1 byte version = 1 and 8 bytes, the time at which the URL was last
// written to -due. It is not written again until the visit is learned, or -patience is over. A page whose
// server is gone, or that robots.txt forbids by now, is asked for once more then; the wait doubles each
// time, up to -most, for it is as long as the page was overdue when it was asked for, if that is longer than
// -patience. An entry older than -most is dropped when its segment is rewritten.
//
// testdata/v1 holds a segment of each, kept for ever.
package main

import (
	"context"
	"flag"
	"slices"
	"time"

	"multitext/stages/internal/formats/warc"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

func tool() stage.Tool {
	return stage.Tool{
		Name:    "refresh",
		Formats: []string{warc.Format, segment.Formats()},
		Short:   "asks for known pages again, those that change often more often",
		Long: `Reads page batches (WARC) and remembers of each page when it was visited and whether it had
changed: the pages known are read from the segments that the file -known lists, those of this
run go into the segment -new.

With -due FILE it reads no batches, but writes the URLs of known pages whose next visit is due,
the longest overdue first (by the share of their interval), with the attributes
  etag modified   of the last answer, for a conditional request
  date            WARC-Date of the archive's version of the page
  visit           how often it was visited so far
  depth           as it was
and remembers in the segment -new that it asked, beside those listed in -asked.

With -show it prints what is known, a page a line: URL, last visit, next visit, interval,
visits, changes.

Leave the flow: learned (new), changed, unchanged, trouble (5xx, 429, cut: nothing to compare),
ignored (an answer that makes no page known, or none over HTTP), late (of a visit before the last).

Memory: some 400 bytes for each page of the run; with -due some 300 for each URL written.`,
		Example: `refresh -known known.list -new known-1 pages.warc.gz && echo $PWD/known-1 >> known.list
refresh -show -known known.list
refresh -due - -known known.list -now 2030-01-01T00:00:00Z`,
		Check: segment.Check("segments of either state", verifyEntry),
	}
}

// config is what the flags say.
type config struct {
	due, known, asked, segment string
	schedule                   schedule
	alike                      bool
	most                       int
	patience                   time.Duration
	now                        time.Time
}

func setup(fs *flag.FlagSet) stage.Body {
	var c config
	fs.StringVar(&c.known, "known", "", "read the known pages from the segments listed in `FILE`; none or empty: no page is known")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&c.due, "due", "", "write the URLs that are due to `FILE`")
	fs.StringVar(&c.asked, "asked", "", "with -due: read what was asked from the segments listed in `FILE`")
	fs.DurationVar(&c.schedule.first, "first", 24*time.Hour, "visit a new page again after this `DURATION`")
	fs.DurationVar(&c.schedule.least, "least", time.Hour, "let no less than this `DURATION` pass between visits")
	fs.DurationVar(&c.schedule.most, "most", 30*24*time.Hour, "let no more than this `DURATION` pass between visits; give it with -due, too")
	fs.BoolVar(&c.alike, "alike", false, "take a page that xdup -near marks as nearly what it was for unchanged")
	fs.IntVar(&c.most, "max", 100_000, "with -due: write at most `N` URLs, the most overdue")
	fs.DurationVar(&c.patience, "patience", 48*time.Hour, "with -due: ask once more when a visit has not come for this `DURATION`, and then for twice as long each time, up to -most")
	now := fs.String("now", "", "take this `TIME` (RFC 3339) for now")
	show := fs.Bool("show", false, "print the known pages, and do nothing else")
	return func(ctx context.Context, env *stage.Env) (err error) {
		if c.now = time.Now(); *now != "" {
			if c.now, err = time.Parse(time.RFC3339, *now); err != nil {
				return stage.Usagef("-now: %w", err)
			}
		}
		if err := c.check(); err != nil {
			return err
		}
		if c.due != "" && !slices.Equal(env.Inputs, []string{"-"}) {
			return stage.Usagef("-due reads no batches")
		}
		if err := env.Ready(); err != nil {
			return err
		}
		switch {
		case *show:
			env.NoReport = true
			return showPages(env.Stdout, c.known, env.Hash)
		case c.due != "":
			return due(env, c)
		}
		return learn(ctx, env, c)
	}
}

func (c *config) check() error {
	s := c.schedule
	switch {
	case s.most <= 0 || c.due == "" && (s.least < time.Millisecond || s.first < s.least || s.most < s.first):
		return stage.Usagef("want -least %v <= -first %v <= -most %v, and all above 0", s.least, s.first, s.most)
	case c.most < 1 || c.patience < 0:
		return stage.Usagef("-max must be above 0, -patience not below")
	case c.due == "" && c.asked != "":
		return stage.Usagef("-asked goes with -due")
	}
	return nil
}

func main() { stage.Main(tool(), setup) }
