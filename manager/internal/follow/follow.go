// Package follow keeps one crawl at hand for programs that look at it again and again: its state,
// and the sums of its history. It takes no lock of the crawl and writes nothing. It needs no
// running manager.
package follow

import (
	"context"
	"fmt"
	"sync"
	"time"

	"multitext/manager/internal/past"
	"multitext/manager/internal/view"
	"multitext/script"
	"multitext/txlog"
)

// A Crawl follows one crawl. It is safe for concurrent use.
type Crawl struct {
	script *script.Script

	mu     sync.Mutex
	log    *view.Log
	past   *past.Past
	epoch  string // of the crawl that was read; "" if none was
	last   uint64 // the generation that is read
	begun  bool   // whether there ever was a log
	cancel context.CancelFunc
}

// New returns a Crawl that has read nothing.
func New(s *script.Script) *Crawl {
	c := &Crawl{script: s}
	c.reset()
	return c
}

// Script returns the script that New was given.
func (c *Crawl) Script() *script.Script { return c.script }

// With brings the crawl up to date and calls f. What f gets is valid only within f, and nobody else
// looks at the crawl meanwhile, so f must not block. The error is that of reading the log or of f.
func (c *Crawl) With(f func(*view.Crawl, *past.Past) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.log.Read(); err != nil {
		c.reset()
		return err
	}
	v := c.log.Crawl(c.script, time.Now())
	if c.begun = c.begun || v.Begun; c.begun && !v.Begun {
		c.reset()
		return fmt.Errorf("the log of %s is gone: the crawl was moved or deleted", c.script.Dir)
	}
	return f(v, c.past)
}

// Close ends the reading of the history and closes the log.
func (c *Crawl) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel()
	c.log.Close()
}

// reset forgets everything that was read, but not that there was a log.
func (c *Crawl) reset() {
	if c.cancel != nil {
		c.cancel()
		c.log.Close()
	}
	c.cancel = func() {}
	c.epoch, c.last = "", 0
	c.past = past.New(c.script.Dir)
	c.log = view.Follow(c.script.Dir)
	c.log.Begin = c.begin
	c.log.Each = func(before *txlog.State, r txlog.Record) error {
		c.past.Add(before, r)
		return nil
	}
}

// begin is called with the checkpoint of a generation. The history before the first one is read in
// the background, and so is what was begun and sealed since the last one.
func (c *Crawl) begin(s *txlog.State) error {
	if c.epoch != "" && (c.epoch != s.Epoch() || s.Generation() <= c.last) {
		c.past = past.New(c.script.Dir) // another crawl, or another copy of this one, has replaced it
		c.cancel()
		c.last = 0
	}
	if s.Generation() > c.last+1 || c.epoch == "" {
		if err := c.fill(c.last, s.Generation()); err != nil {
			return err
		}
	}
	c.epoch, c.last = s.Epoch(), s.Generation()
	return nil
}

// fill reads the sealed generations above one and below another in the background.
func (c *Crawl) fill(above, below uint64) error {
	generations, err := c.past.Older(above, below)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	before := c.cancel
	c.cancel = func() { before(); cancel() }
	go c.past.Fill(ctx, generations)
	return nil
}
