package main

import (
	"bytes"
	"container/heap"
	"slices"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/stage"
	"multitext/stages/internal/state/segment"
)

// due writes the URLs whose next visit is due.
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
	d := &chooser{config: c, asked: asked}
	if err := pages.Scan(d.page); err != nil {
		return err
	}
	env.Report.Count("known", d.known)
	env.Report.Count("waiting", d.waiting)
	env.Report.Count("due", d.due)
	out := urlbatch.NewWriter(env.Files, c.due, env.Report.Made)
	chosen := d.inOrder()
	var b segment.Entries
	for _, o := range chosen {
		if err := out.Write(o.record()); err != nil {
			return err
		}
		b.Add(keyOf(asked.Hash(), o.url), encodeAsked(c.now))
	}
	if err := out.Close(); err != nil {
		return err
	}
	asked.Keep = func(value []byte) bool {
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
	chosen              overdue
}

// page looks at one known page.
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
	if len(d.chosen) < d.most {
		heap.Push(&d.chosen, o)
	} else if d.chosen[0].by < o.by {
		d.chosen[0] = o
		heap.Fix(&d.chosen, 0)
	}
	return nil
}

// pending tells whether a visit to the page was asked for and may still come.
func (d *chooser) pending(p *page) (bool, error) {
	value, ok, err := d.asked.Get(keyOf(d.asked.Hash(), p.url))
	if err != nil || !ok {
		return false, err
	}
	at, err := decodeAsked(value)
	waits := at.After(p.visited) || p.ahead(d.now)
	return waits && d.now.Sub(at).Abs() < d.wait(at.Sub(p.due())), err
}

// wait gives how long a visit is waited for that was asked for so long after it was due. As that doubles
// with each time that it is asked for in vain, so does the wait.
func (c *config) wait(late time.Duration) time.Duration {
	return min(max(late, c.patience), c.longest())
}

// longest is the bound of wait.
func (c *config) longest() time.Duration { return max(c.patience, c.schedule.most) }

// late is a page and the share of its interval that it is overdue by.
type late struct {
	page
	by float64
}

// record makes the line of the batch.
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

// overdue is a heap of pages, the least overdue on top.
type overdue []late

func (o overdue) Len() int           { return len(o) }
func (o overdue) Less(i, j int) bool { return o[i].by < o[j].by }
func (o overdue) Swap(i, j int)      { o[i], o[j] = o[j], o[i] }
func (o *overdue) Push(x any)        { *o = append(*o, x.(late)) }
func (o *overdue) Pop() any          { panic("a chooser takes none out") }

// inOrder gives the chosen pages, the most overdue first.
func (d *chooser) inOrder() []late {
	slices.SortFunc(d.chosen, func(a, b late) int {
		if a.by != b.by {
			if a.by > b.by {
				return -1
			}
			return 1
		}
		return bytes.Compare([]byte(a.url), []byte(b.url))
	})
	return d.chosen
}
