package sim

import (
	"slices"

	"multitext/examples/rigs/internal/web"
)

// None is the parent of a seed.
const None = -1

// A Kind is what may happen.
type Kind uint8

const (
	Fetched Kind = iota // a crawler fetched a page, and sent its bytes on if it is another's
	Taken               // a crawler took a page of a content new to it, followed its links, and sent URLs
	Copied              // a crawler took a page of a content that it had, and followed the links that Parent had not
)

// An Event is a step of the crawl.
type Event struct {
	Kind          Kind
	Crawler, Page int
	// of what is fetched: the page whose link led there, or None; of a copy: the first page of its
	// content
	Parent int
	Sent   int // bytes
}

// links are those that were followed in the event.
func (e *Event) links(pages []web.Page) []int {
	if e.Kind != Copied {
		return pages[e.Page].Links
	}
	known := pages[e.Parent].Links
	return slices.DeleteFunc(slices.Clone(pages[e.Page].Links), func(to int) bool { return slices.Contains(known, to) })
}

// A Log is what happened, in order.
type Log struct {
	crawl  *Crawl
	Events []Event
}

func (l *Log) add(e Event) int {
	l.Events = append(l.Events, e)
	return len(l.Events) - 1
}

// Until is the beginning of the log, as long as no more than share (0 to 1) of the pages fetched in
// the end have been fetched by anyone.
func (l *Log) Until(share float64) *Log {
	firsts := l.firsts()
	if most := int(share * float64(len(firsts))); most < len(firsts) {
		return l.Slice(0, firsts[most])
	}
	return l
}

// firsts are the indices of the events that fetch a page for the first time.
func (l *Log) firsts() (at []int) {
	met := make([]bool, len(l.crawl.Web.Pages))
	for i, e := range l.Events {
		if e.Kind == Fetched && !met[e.Page] {
			met[e.Page] = true
			at = append(at, i)
		}
	}
	return at
}

// Where is the log of those events alone.
func (l *Log) Where(holds func(Event) bool) *Log {
	some := &Log{crawl: l.crawl}
	for _, e := range l.Events {
		if holds(e) {
			some.add(e)
		}
	}
	return some
}

// Slice is the log of the events from one index up to another.
func (l *Log) Slice(from, to int) *Log { return &Log{l.crawl, l.Events[from:to:to]} }
