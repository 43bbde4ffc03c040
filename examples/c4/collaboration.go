package main

import (
	"context"
	"fmt"
	"io"
	"os"
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
}

func newCollaboration(o *options, names []string, said io.Writer) *collaboration {
	c := &collaboration{options: o, said: said, begun: time.Now()}
	for turn, name := range names {
		c.crawlers = append(c.crawlers, &crawler{options: o, name: name, turn: turn})
	}
	return c
}

const (
	round  = time.Second // between two looks at the crawlers
	report = 10          // rounds between two lines of how it goes
)

// untilQuiet starts all crawlers, and each of them again when something waits for it, until for two rounds
// nobody runs and nothing waits.
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
	tick := time.NewTicker(round)
	defer tick.Stop()
	for n, quiet := 1, 0; quiet < 2; n++ {
		select {
		case <-ctx.Done():
			return errStopped
		case <-tick.C:
		}
		running, err := c.round()
		switch {
		case err != nil:
			return err
		case running == 0:
			quiet++
		default:
			quiet = 0
		}
		if n%report == 0 {
			fmt.Fprintf(c.said, "%4.0fs  %d of %d crawlers at work, %d starts\n", time.Since(c.begun).Seconds(), running, len(c.crawlers), c.starts())
		}
	}
	return c.left()
}

// round looks at each crawler once, starts again whom something new waits for, and tells how many run.
func (c *collaboration) round() (running int, err error) {
	waiting := c.waiting()
	for _, one := range c.crawlers {
		runs, err := one.runs()
		if err != nil {
			return 0, err
		}
		if !runs && one.hasNew(waiting[one.name]) {
			one.found = waiting[one.name]
			if err := one.start(); err != nil {
				return 0, err
			}
			runs = true
		}
		if runs {
			running++
		}
	}
	return running, nil
}

// waiting lists what lies in all outgoing folders, by the crawler it is for.
func (c *collaboration) waiting() map[string][]string {
	files := map[string][]string{}
	for _, from := range c.crawlers {
		for _, to := range c.crawlers {
			folder := c.path("crawl", from.name, "outgoing", to.name)
			entries, _ := os.ReadDir(folder) // is there when something was sent first
			for _, e := range entries {
				if !strings.HasPrefix(e.Name(), ".") {
					files[to.name] = append(files[to.name], folder+"/"+e.Name())
				}
			}
		}
	}
	return files
}

// left fails where batches lie that their crawler has seen in a whole run and not taken: torn ones.
func (c *collaboration) left() error {
	for name, files := range c.waiting() {
		return fmt.Errorf("%s does not take %d batches, as %s; the log in %s says why", name, len(files), files[0], c.path("logs", name))
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

// hasNew tells whether something waits that was not there when the crawler began its last run: what
// was, it has seen and left for a reason.
func (one *crawler) hasNew(waiting []string) bool {
	return slices.ContainsFunc(waiting, func(file string) bool { return !slices.Contains(one.found, file) })
}
