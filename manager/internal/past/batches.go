package past

import (
	"iter"
	"maps"

	"multitext/txlog"
)

// batches are the live batches before a record.
type batches interface {
	size(name txlog.Name) (one Change, ok bool)
	names() iter.Seq[txlog.Name]
}

// changeOf is by how much a batch makes its queue grow.
func changeOf(o *txlog.Output) Change { return Change{1, float64(o.Size), float64(max(o.Records, 0))} }

// A state has the live batches of a crawl that is replayed.
type state struct{ *txlog.State }

func (s state) size(name txlog.Name) (one Change, ok bool) {
	b := s.Batch(name)
	if b == nil {
		return one, false
	}
	return changeOf(&b.Output), true
}

func (s state) names() iter.Seq[txlog.Name] {
	return func(yield func(txlog.Name) bool) {
		for name := range s.Batches() {
			if !yield(name) {
				return
			}
		}
	}
}

// sizes are the live batches of a generation that is only scanned: all that its sums need.
type sizes map[txlog.Name]Change

func (s sizes) size(name txlog.Name) (one Change, ok bool) {
	one, ok = s[name]
	return one, ok
}

func (s sizes) names() iter.Seq[txlog.Name] { return maps.Keys(s) }

// apply makes a record take effect.
func (s sizes) apply(r txlog.Record) {
	c, ok := r.(*txlog.Commit)
	if !ok {
		return
	}
	for _, in := range c.Inputs {
		if in.Gone {
			delete(s, in.Name)
		}
	}
	for _, name := range c.Gone {
		delete(s, name)
	}
	if c.Export != "" {
		maps.DeleteFunc(s, func(name txlog.Name, _ Change) bool { return name.Queue() == c.Export })
	}
	for _, o := range c.Outputs {
		if !o.Export {
			s[o.Name] = changeOf(&o)
		}
	}
}
