package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// The crawl of -tail, as tail.toml has it.
const (
	tailSpeeds   = "10000-10000000" // bytes a second of hosts: a page takes 1.4 s to 1.4 ms
	tailDelay    = 100 * time.Millisecond
	tailSlowness = 5
)

// looks are what the web had answered at some times, robots.txt left out.
type looks []look

type look struct {
	at      time.Time
	answers int
}

// tailResult says when a share of all answers was had, by the web's own count, and when politeness
// alone would have let it: each host asked from the first moment on, its answers as long as they
// took, each followed by the delay. To find the links first would cost a crawler that follows each
// at once a tenth of a second on this web. One of batches sees the links of a page when the run that
// has fetched it is over: the ratio says what that costs. The script, tail.toml, has politeness on,
// a frontier, and a second stage of fetch for slow hosts. -json prints a tailResult.
type tailResult struct {
	Version  int         `json:"version"`
	Pages    int         `json:"pages"`
	Hosts    int         `json:"hosts"`
	Answers  int         `json:"answers"`
	Seconds  float64     `json:"seconds"` // of the whole crawl
	Quantile []tailPoint `json:"quantiles"`
}

type tailPoint struct {
	Percent int     `json:"percent"`
	Seconds float64 `json:"seconds"`
	Bound   float64 `json:"bound"`
	Ratio   float64 `json:"ratio"`
}

// tailOf crawls once, and prints what came of it.
func tailOf(ctx context.Context, o *options, s size, dir string, w *web, stdout, stderr io.Writer) error {
	fmt.Fprintf(stderr, "%s pages, politely: one crawl, and no more lines until it ends\n", number(float64(s.pages), 0))
	r, err := tailCrawl(ctx, s, ours("multitext", o.bin, o.script, "tail.toml"), dir, w)
	if err != nil {
		return err
	}
	if o.json {
		return writeJSON(stdout, r)
	}
	return r.print(stdout)
}

// tailCrawl crawls once, politely, and holds the times against the bound.
func tailCrawl(ctx context.Context, s size, c *crawler, dir string, w *web) (*tailResult, error) {
	ended, seen := make(chan struct{}), make(chan looks)
	go func() { seen <- w.watch(ended) }()
	crawled, err := c.crawlOnce(ctx, dir, w, s.pages, false)
	close(ended)
	ls := <-seen
	if err != nil {
		return nil, err
	}
	if len(ls) == 0 {
		return nil, errors.New("the crawl was over before the web was looked at")
	}
	bound := politeTimes(crawled.served)
	r := &tailResult{Version: 1, Pages: s.pages, Hosts: s.hosts, Answers: len(bound), Seconds: crawled.wall.Seconds()}
	for _, percent := range []int{50, 90, 99, 100} {
		n := (len(bound)*percent + 99) / 100
		p := tailPoint{Percent: percent, Seconds: ls.when(n).Sub(crawled.began).Seconds(), Bound: bound[n-1].Seconds()}
		p.Ratio = p.Seconds / p.Bound
		r.Quantile = append(r.Quantile, p)
	}
	return r, nil
}

// politeTimes are the times, in order, at which the answers of all hosts can be there at the
// earliest. A host's answers take as long as they did, all the same; between two of them lies its
// delay, or the time of one times the slowness.
func politeTimes(s *served) (times []time.Duration) {
	for _, h := range s.Hosts {
		took := time.Duration(h.Busy / float64(max(h.Answers, 1)) * float64(time.Second))
		delay := max(tailDelay, tailSlowness*took)
		for i := range h.Answers {
			times = append(times, time.Duration(i)*(took+delay)+took)
		}
	}
	slices.Sort(times)
	return times
}

// watch looks at the web ten times a second until ended is closed.
func (w *web) watch(ended <-chan struct{}) (all looks) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return all
		case <-tick.C:
			if s, err := w.ask(""); err == nil { // a look that fails is one look less
				all = append(all, look{time.Now(), s.answers() - s.robots()})
			}
		}
	}
}

// when is when n answers were there at the latest; where no look saw them, when it last looked.
func (all looks) when(n int) time.Time {
	for _, l := range all {
		if l.answers >= n {
			return l.at
		}
	}
	return all[len(all)-1].at
}

func (r *tailResult) print(w io.Writer) error {
	fmt.Fprintf(w, "%s answers of %d hosts, %v between two requests to a host or %d times as long as the answer took "+
		"(1.4 ms to 1.4 s a page)\n\n",
		number(float64(r.Answers), 0), r.Hosts, tailDelay, tailSlowness)
	t := tabwriter.NewWriter(w, 0, 0, 3, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "of the answers\tthere after, s\tpoliteness allows, s\tratio\t")
	for _, p := range r.Quantile {
		fmt.Fprintf(t, "%d %%\t%.1f\t%.1f\t%.2f\t\n", p.Percent, p.Seconds, p.Bound, p.Ratio)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\nthe crawl was over after %.1f s\n", r.Seconds)
	return err
}
