package main

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// due writes the URLs of pages whose next visit is due.
func due(env *stage.Env, c config) error {
	pages, err := segment.OpenSet(c.known, env.Hash)
	if err != nil {
		return err
	}
	defer pages.Close()
	asked, err := segment.OpenSet(c.asked, env.Hash)
	if err != nil {
		return err
	}
	defer asked.Close()
	d := &chooser{config: c, asked: asked, least: math.Inf(-1)}
	if err := pages.Scan(d.page); err != nil {
		return err
	}
	env.Report.Gauge("known", d.known)
	env.Report.Gauge("waiting", d.waiting)
	env.Report.Count("due", d.due)
	out := urlbatch.NewWriter(env.Files, c.due, env.Report.Made)
	d.cut()
	var b segment.Entries
	for _, o := range d.chosen {
		if err := out.Write(o.record()); err != nil {
			return err
		}
		b.Add(keyOf(asked.Hash(), o.url), encodeAsked(c.now))
	}
	if err := out.Close(); err != nil {
		return err
	}
	asked.Keep = func(value []byte) bool { // drops entries for which nothing waits any more
		at, err := decodeAsked(value)
		return err != nil || c.now.Sub(at).Abs() < c.longest()
	}
	return asked.Append(env.Files, c.segment, b, env.Report)
}

// A chooser picks the most overdue pages of all.
type chooser struct {
	config
	asked               *segment.Set
	known, waiting, due int64
	chosen              []late  // at most a quarter more than needed
	least               float64 // no dropped page was overdue by more than this
}

// page considers one known page.
func (d *chooser) page(_ uint64, value []byte) error {
	p, err := decodePage(value)
	if err != nil {
		return err
	}
	d.known++
	if p.due().After(d.now) && !p.ahead(d.now) {
		return nil
	}
	pending, err := d.pending(&p)
	if err != nil {
		return err
	}
	if pending {
		d.waiting++
		return nil
	}
	d.due++
	o := late{page: p, by: float64(d.now.Sub(p.due())) / float64(p.interval)}
	if o.by > d.least {
		d.chosen = append(d.chosen, o)
	}
	if len(d.chosen)-d.most > d.most/4 {
		d.cut()
		d.least = d.chosen[d.most-1].by
	}
	return nil
}

// cut sorts the chosen pages, the most overdue first, and drops the pages beyond the maximum.
func (d *chooser) cut() {
	slices.SortFunc(d.chosen, func(a, b late) int {
		return cmp.Or(cmp.Compare(b.by, a.by), strings.Compare(a.url, b.url))
	})
	clear(d.chosen[min(len(d.chosen), d.most):])
	d.chosen = d.chosen[:min(len(d.chosen), d.most)]
}

// pending reports whether the page was requested before and its visit may still come.
func (d *chooser) pending(p *page) (bool, error) {
	value, ok, err := d.asked.Get(keyOf(d.asked.Hash(), p.url))
	if err != nil || !ok {
		return false, err
	}
	at, err := decodeAsked(value)
	waits := at.After(p.visited) || p.ahead(d.now)
	return waits && d.now.Sub(at).Abs() < d.wait(at.Sub(p.due())), err
}

// wait returns how long to wait for a requested visit before requesting it again. late is the time
// between due date and request. The first wait is -patience. It doubles with each request in vain,
// up to -most. So a page whose server is gone, or that robots.txt now forbids, is requested ever
// more rarely.
func (c *config) wait(late time.Duration) time.Duration {
	return min(max(late, c.patience), c.longest())
}

// longest returns the maximum of wait.
func (c *config) longest() time.Duration { return max(c.patience, c.schedule.most) }

// late is a page and the share of its interval by which it is overdue.
type late struct {
	page
	by float64
}

// record returns the record for the output batch.
func (l *late) record() *urlbatch.Record {
	r := urlbatch.New(l.url)
	r.SetInt(urlbatch.Depth, l.depth)
	r.SetInt(urlbatch.Visit, l.visits)
	r.Set(urlbatch.Date, l.captured.UTC().Format("2006-01-02T15:04:05.000Z"))
	if l.etag != "" {
		r.Set(urlbatch.ETag, l.etag)
	}
	if l.modified != "" {
		r.Set(urlbatch.Modified, l.modified)
	}
	return r
}
