// Package report writes what happened in a crawl as one HTML file. The file contains its pictures
// and its style, so it opens from disk, from a mail or from an archive, without a network and
// without a script. Its Content-Security-Policy allows nothing else.
//
// # Where the figures come from
//
// Totals are those of package view, which the verb status prints. Lines over time are those of
// package past. Two more things need a look at each record of the history, which this package reads
// twice: how long runs took and what failed (runs.go), and what the stages did at some hundreds of
// instants (waits.go).
//
// # Why did it not run
//
// At each instant the state of the crawl is rebuilt from the log, and package sched is asked for
// the start conditions of each stage, as the verb why does. The shares of the conditions that were
// not met show what held the crawl up, and bottleneck.go says it in a sentence. The log has neither
// the free space on the disk nor the time at which a manager ended. So no stage seems to wait for
// disk space, and where a stage could have started but nothing ran, there was no manager.
//
// The size of a report depends on how many stages and queues the script has, not on the length of
// the crawl.
package report

import (
	"context"
	"fmt"
	"io"
	"time"

	"multitext/manager/internal/follow"
	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/crawls"
	"multitext/manager/internal/window/verdict"
	"multitext/script"
	"multitext/txlog"
)

// A crawl is all that a report says.
type crawl struct {
	name   string
	script *script.Script
	status *view.Status
	state  string     // what the crawl is doing, or how it ended
	going  []view.Run // runs in progress
	now    time.Time
	from   time.Time // the start of the oldest run in the history
	to     time.Time // now if a manager runs, otherwise the end of the newest run
	series *series
	runs   *runs
	waits  *waits
	damage error // why a part of the history is not in the report; nil if all of it is
}

// Write writes the report of a crawl. It waits until the history is summed, or until ctx ends.
func Write(ctx context.Context, w io.Writer, c *crawls.Crawl) error {
	r, err := read(ctx, c.Crawl)
	if err != nil {
		return fmt.Errorf("report of %s: %w", c.Script().Path, err)
	}
	r.name = c.Name
	return r.write(w)
}

// poll is the least time between two looks at a history that is not summed yet. A look keeps others
// from the crawl, so it is made seldom where it takes long.
const poll = 20 * time.Millisecond

// read collects everything about a crawl.
func read(ctx context.Context, c *follow.Crawl) (*crawl, error) {
	r := &crawl{}
	for complete := false; !complete; {
		begin := time.Now()
		err := c.With(func(v *view.Crawl, p *past.Past) (err error) {
			if complete = p.Share() == 1; complete {
				err = r.look(v, p)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if complete {
			break
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(max(poll, 10*time.Since(begin))):
		}
	}
	moments := newMoments(r.from, r.to, r.going)
	r.runs = &runs{stages: map[string]*sample{}}
	_, err := walk(ctx, r.script.Dir, func(_ *txlog.State, record txlog.Record) error {
		r.runs.add(record)
		moments.add(record)
		return nil
	})
	if err == nil {
		r.waits, err = readWaits(ctx, r.script, moments, r.from, r.to)
	}
	return r, err
}

// look takes what the views of a crawl say.
func (r *crawl) look(v *view.Crawl, p *past.Past) (err error) {
	r.script, r.now = v.Script, v.Now
	if r.from, r.to = p.Life(v); v.Holder != nil {
		r.going = v.Runs
	}
	if !r.to.After(r.from) {
		r.to = r.from.Add(time.Millisecond)
	}
	if r.status, err = p.Status(v); err != nil {
		return err
	}
	r.state = verdict.State(v, len(r.status.Cut))
	r.damage = p.Damage()
	r.series = readSeries(v, p, r.status.Queues, r.from, r.to)
	return nil
}
