package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// collaboration is all the crawlers and where they work.
type collaboration struct {
	*options
	crawlers []*crawler
	said     io.Writer
	begun    time.Time
	tick     time.Duration // between two rounds
}

func newCollaboration(o *options, names []string, said io.Writer) *collaboration {
	c := &collaboration{options: o, said: said, begun: time.Now(), tick: time.Second}
	for _, name := range names {
		c.crawlers = append(c.crawlers, &crawler{options: o, name: name, waited: map[string]int{}})
	}
	return c
}

// report is the number of rounds between two lines of how it goes.
const report = 10

// untilQuiet starts all crawlers, and each of them again when something waits for it, until for two
// rounds nobody runs and nothing waits.
func (c *collaboration) untilQuiet(ctx context.Context) error {
	defer c.stop()
	if err := os.MkdirAll(c.path("logs"), 0o777); err != nil {
		return fmt.Errorf("logs of the managers: %w", err)
	}
	for _, one := range c.crawlers {
		if err := one.start(); err != nil {
			return err
		}
	}
	tick := time.NewTicker(c.tick)
	defer tick.Stop()
	for n, quiet := 1, 0; quiet < 2; n++ {
		select {
		case <-ctx.Done():
			return errStopped
		case <-tick.C:
		}
		busy, err := c.round()
		switch {
		case err != nil:
			return err
		case busy == 0:
			quiet++
		default:
			quiet = 0
		}
		if n%report == 0 {
			fmt.Fprintf(c.said, "%4.0fs  %d of %d crawlers have work, %d starts\n", time.Since(c.begun).Seconds(), busy,
				len(c.crawlers), c.starts())
		}
	}
	return c.left()
}

// round looks at each crawler once, starts again whom something waits for, and tells how many have
// work.
func (c *collaboration) round() (busy int, err error) {
	waiting := c.waiting()
	for _, one := range c.crawlers {
		runs, err := one.runs()
		if err != nil {
			return 0, err
		}
		wanted := one.wanted(waiting[one.name])
		if !runs && wanted && time.Since(one.began) >= c.looks { // sooner its gofer would not look yet
			one.saw(waiting[one.name])
			if err := one.start(); err != nil {
				return 0, err
			}
		}
		if runs || wanted {
			busy++
		}
	}
	return busy, nil
}

// waiting lists what lies in all outgoing folders, by the crawler it is for.
func (c *collaboration) waiting() map[string][]string {
	files := map[string][]string{}
	all, _ := filepath.Glob(c.path("crawl/*/outgoing/*/[^.]*")) // a folder is there when something was sent first
	for _, file := range all {
		if !strings.HasPrefix(filepath.Base(file), "agreed-") {
			to := filepath.Base(filepath.Dir(file))
			files[to] = append(files[to], file)
		}
	}
	return files
}

// left fails where batches lie that their crawler does not take, unless it has reached a limit.
func (c *collaboration) left() error {
	waiting := c.waiting()
	for _, one := range c.crawlers {
		files := waiting[one.name]
		delete(waiting, one.name)
		switch {
		case one.limited:
			fmt.Fprintf(c.said, "%s has reached a limit of [stop]\n", one.name)
		case len(files) > 0:
			return fmt.Errorf("%s does not take %d batches, as %s; the log in %s says why", one.name, len(files), files[0],
				c.path("logs", one.name))
		}
	}
	for name, files := range waiting {
		return fmt.Errorf("%d batches wait for %q, as %s: it was not in nodes.toml when this began; if it is there now, "+
			"run c4 again, else put it back", len(files), name, files[0])
	}
	return nil
}

func (c *collaboration) starts() (n int) {
	for _, one := range c.crawlers {
		n += one.starts
	}
	return n
}

// stop lets all managers come to their end.
func (c *collaboration) stop() {
	for _, one := range c.crawlers {
		one.stop()
	}
	for _, one := range c.crawlers {
		one.wait()
	}
}

// wanted tells whether the crawler is to be started: it has not been, or something waits for it. In
// one run it brings a batch, in that or the next it removes it; what waits still after two it
// leaves for a reason, as a torn one. One that has reached a limit of [stop] is not.
func (one *crawler) wanted(waiting []string) bool {
	return one.held || !one.limited && slices.ContainsFunc(waiting, func(file string) bool { return one.waited[file] < 2 })
}

// saw notes what waits as a run begins.
func (one *crawler) saw(waiting []string) {
	for _, file := range waiting {
		one.waited[file]++
	}
}
