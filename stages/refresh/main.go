// Command refresh decides when known pages are fetched again (thesis, section 2.5.1: "pages need to
// be re-visited more frequently than the others" where "information changes rapidly").
//
// It is one program for two stages of a crawl. The rest of the flow stays as it is:
//
//	[stage.learn]                 # a second reader of the answers
//	in    = "unique"              # all answers: with xdup -drop, its input; with -aside, both outputs
//	state = "known"
//	run   = "refresh -known {known} -new {known.new} -report {report} {in}"
//	[stage.due]                   # by the clock
//	every = "15m"
//	read  = { known = "known" }
//	out   = "due"                 # which scramble reads, beside fresh and again
//	state = "asked"
//	run   = "refresh -due {due} -known {known} -asked {asked} -new {asked.new} -report {report}"
//
// The stage learn remembers of each page when it was visited, its version, how often it had
// changed, and what a server needs to say "not modified". The stage due, with -due, writes the URLs
// of pages whose time has come. These URLs enter the flow between filter, which has seen them, and
// scramble; a stage of restrict there limits what is kept fresh. A page that has changed comes back
// as any page does: its links are followed, and the archive has both versions. One that has not
// leaves a revisit record.
//
// # The schedule
//
// Changes of a page are taken for a Poisson process with a rate of its own, as Cho and
// Garcia-Molina found (The evolution of the web and implications for an incremental crawler, 2000).
// The interval I aims at the time in which the page changes with probability one half. When a visit
// comes gap after the one before, a change is expected with probability
//
//	p = 1 - 2^(-gap/I)
//
// and I is multiplied by 1.5^(2p) if there was none, and by 1.5^(2p-2) if there was one. A visit in
// time has p = 1/2, so I grows by a half or shrinks by a third, as in Nutch's adaptive schedule. An
// expected result changes I little: a page that has changed after a year says nothing of a page
// visited every hour. So I goes up and down around the interval where a change is as likely as not
// (the stochastic approximation of Robbins and Monro, 1951), and follows a page whose rate changes:
// a factor of ten in six visits. I stays within -least and -most, and is -first after the first
// visit.
//
// A page that changes more often than -least is visited every -least, although visits to such pages
// are of the least use (Cho and Garcia-Molina, Effective page refresh policies, 2003).
//
// If the last visit lies more than an hour ahead, a clock was wrong: the page is due at once, and
// the next visit sets its time right.
//
// A page becomes known by a 2xx or 3xx answer. The function sight tells what a change is, and
// page.go the formats of the states known and asked; testdata/v1 holds a segment of each, kept for
// ever.
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
	fs.StringVar(&c.known, "known", "",
		"read the known pages from the segments listed in `FILE`; none or empty: no page is known")
	fs.StringVar(&c.segment, "new", "", "write the new segment to `FILE`; without it nothing is remembered")
	fs.StringVar(&c.due, "due", "", "write the URLs that are due to `FILE`")
	fs.StringVar(&c.asked, "asked", "", "with -due: read what was asked from the segments listed in `FILE`")
	fs.DurationVar(&c.schedule.first, "first", 24*time.Hour, "visit a new page again after this `DURATION`")
	fs.DurationVar(&c.schedule.least, "least", time.Hour, "let no less than this `DURATION` pass between visits")
	fs.DurationVar(&c.schedule.most, "most", 30*24*time.Hour,
		"let no more than this `DURATION` pass between visits; give it with -due, too")
	fs.BoolVar(&c.alike, "alike", false, "take a page that xdup -near marks as nearly what it was for unchanged")
	fs.IntVar(&c.most, "max", 100_000, "with -due: write at most `N` URLs, the most overdue")
	fs.DurationVar(&c.patience, "patience", 48*time.Hour, "with -due: ask once more when a visit has not "+
		"come for this `DURATION`, and then for twice as long each time, up to -most")
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
