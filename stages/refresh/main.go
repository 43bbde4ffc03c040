// Command refresh decides when known pages are fetched again (thesis, section 2.5.1: "pages need to
// be re-visited more frequently than the others" where "information changes rapidly").
//
// One program serves two stages of a crawl. They are added to a flow; the rest of the flow stays
// unchanged:
//
//	[stage.learn]                 # a second reader of the answers
//	in    = "unique"              # all answers: with xdup -drop its input, with -aside both outputs
//	state = "known"
//	run   = "refresh -known {known} -new {known.new} -report {report} {in}"
//	[stage.due]                   # by the clock
//	every = "15m"
//	read  = { known = "known" }
//	out   = "due"                 # read by frontier, beside fresh and again
//	state = "asked"
//	run   = "refresh -due {due} -known {known} -asked {asked} -new {asked.new} -report {report}"
//
// For each page the stage learn remembers when it was visited, its version, how often it had
// changed, and the fields with which a server can answer "not modified". The stage due, with -due,
// writes the URLs of pages whose next visit is due. These URLs enter the flow between filter, which
// has seen them, and frontier (or scramble). To limit which pages are kept fresh, put a restrict stage there. A
// page that has changed flows like any page: its links are followed, and the archive has both
// versions. A page that has not changed becomes a revisit record.
//
// # The schedule
//
// The model is that the changes of each page are a Poisson process with its own rate, as Cho and
// Garcia-Molina found (The evolution of the web and implications for an incremental crawler, 2000).
// The interval I approaches the time in which the page changes with probability one half. If a
// visit follows the one before after a time gap, a change is expected with probability
//
//	p = 1 - 2^(-gap/I)
//
// I is multiplied by 1.5^(2p) if the page has not changed, and by 1.5^(2p-2) if it has. A visit at
// the planned time has p = 1/2, so I grows by a half or shrinks by a third, as in Nutch's adaptive
// schedule. An expected result changes I little: that a page has changed after a year says nothing
// about a page visited every hour. So I moves around the interval at which a change is as likely as
// no change (the stochastic approximation of Robbins and Monro, 1951). It follows a page whose rate
// changes: by a factor of ten in six visits. I stays within -least and -most, and is -first after
// the first visit.
//
// A page that changes more often than -least is visited every -least, although visits to such pages
// are the least useful (Cho and Garcia-Molina, Effective page refresh policies, 2003).
//
// If the last visit is more than an hour in the future, a clock was wrong. Then the page is due at
// once, and the next visit corrects its time.
//
// A 2xx or 3xx answer makes a page known. The function sight defines what a change is. page.go
// describes the formats of the states known and asked; testdata/v1 has a segment of each, which
// stays readable for ever.
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
		Short:   "requests known pages again, each as often as it changes",
		Long: `Reads page batches (WARC) and remembers for each page when it was visited and whether it had
changed. The known pages are a list of segments in the file -known. The pages of this run go
into the new segment -new.

With -due FILE it reads no batches. Instead it writes the URLs of known pages whose next visit is
due. The page that is overdue by the largest share of its interval is first. The attributes are
  etag modified   of the last answer, for a conditional request
  date            WARC-Date of the archive's version of the page
  visit           number of visits so far
  depth           of the page
It remembers these requests in the new segment -new; -asked lists the segments with earlier requests.

With -show it prints the known pages, a page a line: URL, last visit, next visit, interval,
visits, changes.

Records end here with these reasons: learned (new), changed, unchanged, trouble (5xx, 429,
cut: nothing to compare), ignored (no HTTP answer, or one that makes no page known), late
(from a visit before the last one).

Memory: about 400 bytes for each page of the run; with -due about 300 for each URL written.`,
		Example: `refresh -known known.list -new known-1 pages.warc.gz && echo $PWD/known-1 >> known.list
refresh -show -known known.list
refresh -due - -known known.list -now 2030-01-01T00:00:00Z`,
		Check: segment.Check("segments of either state", verifyEntry),
	}
}

// config holds the values of the flags.
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
	fs.StringVar(&c.known, "known", "",
		"read the known pages from the segments listed in `FILE`; without it, or if FILE is empty, no page is known")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it no page is remembered")
	fs.StringVar(&c.due, "due", "", "write the URLs of due pages to `FILE`")
	fs.StringVar(&c.asked, "asked", "", "with -due: read earlier requests from the segments listed in `FILE`")
	fs.DurationVar(&c.schedule.first, "first", 24*time.Hour, "visit a new page again after this `DURATION`")
	fs.DurationVar(&c.schedule.least, "least", time.Hour, "wait at least this `DURATION` between visits")
	fs.DurationVar(&c.schedule.most, "most", 30*24*time.Hour,
		"wait at most this `DURATION` between visits; give it with -due, too")
	fs.BoolVar(&c.alike, "alike", false, "treat a page as unchanged if xdup -near marks it as nearly unchanged")
	fs.IntVar(&c.most, "max", 100_000, "with -due: write at most `N` URLs, the most overdue ones")
	fs.DurationVar(&c.patience, "patience", 48*time.Hour, "with -due: request a page again when a visit has not "+
		"come for this `DURATION`, and then for twice as long each time, up to -most")
	now := fs.String("now", "", "use this `TIME` (RFC 3339) as the current time")
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
		return stage.Usagef("-max must be above 0, -patience 0 or more")
	case c.due == "" && c.asked != "":
		return stage.Usagef("-asked works only with -due")
	}
	return nil
}

func main() { stage.Main(tool(), setup) }
