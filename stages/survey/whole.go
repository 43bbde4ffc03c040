package main

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// A whole is all that a page shows: the rows of all kinds, and of the hosts the first of several
// orders.
type whole struct {
	rows  int64 // of the segment
	kinds map[string][]*row

	Hosts, Waiting, Fresh, Done int64
	WaitingHosts                int64
	Largest, Slowest, Worst     *ranking // hosts with the most answers, the longest wait, the most errors
	Longest                     *ranking // hosts whose answers took the longest time
	Few                         int64    // hosts with at most ten answers: the tail
	Unmet                       int64    // hosts without an answer

	written int64 // size at the page before
	drawn   int64 // size at the last page, after this run
}

// A host is a row of a host in words.
type host struct {
	Name                                                          string
	Fresh, Done, Answers, Bytes, Errors, Refused, Robots, GivenUp int64
	Waiting                                                       int64         // URLs that were to be fetched and are not done
	Took                                                          time.Duration // all pauses between two answers
	Pause                                                         time.Duration // mean between two answers of a run; 0 if unknown
	Left                                                          time.Duration // for the waiting URLs at that pause
}

func newWhole(top int) *whole {
	return &whole{kinds: map[string][]*row{}, Largest: &ranking{top: top, order: byAnswers},
		Slowest: &ranking{top: top, order: byLeft}, Worst: &ranking{top: top, order: byErrors},
		Longest: &ranking{top: top, order: byTook}}
}

// add takes in a row of the segment.
func (w *whole) add(r *row) {
	if r.kind != kindHost {
		w.kinds[r.kind] = append(w.kinds[r.kind], r)
		return
	}
	h := hostOf(r)
	w.Hosts++
	w.Fresh += h.Fresh
	w.Done += h.Done
	if w.Waiting += h.Waiting; h.Waiting > 0 {
		w.WaitingHosts++
	}
	switch {
	case h.Answers == 0:
		w.Unmet++
	case h.Answers <= 10:
		w.Few++
	}
	w.Largest.add(h, h.Answers > 0)
	w.Slowest.add(h, h.Waiting > 0)
	w.Longest.add(h, h.Took > 0)
	w.Worst.add(h, h.Errors+h.GivenUp > 0)
}

func byAnswers(a, b *host) int { return cmp.Compare(b.Answers, a.Answers) }

func byLeft(a, b *host) int {
	return cmp.Or(cmp.Compare(b.Left, a.Left), cmp.Compare(b.Waiting, a.Waiting))
}

func byTook(a, b *host) int { return cmp.Compare(b.Took, a.Took) }

func byErrors(a, b *host) int { return cmp.Compare(b.Errors+b.GivenUp, a.Errors+a.GivenUp) }

// spare is how many more hosts a list may have than are shown, until it is sorted and cut.
const spare = 1000

// A ranking has the first hosts of an order.
type ranking struct {
	top   int // how many
	order func(a, b *host) int
	hosts []*host // the first so far, and others, unsorted
}

// add adds a host if it is of those that are ranked.
func (r *ranking) add(h *host, of bool) {
	if !of {
		return
	}
	if r.hosts = append(r.hosts, h); len(r.hosts)-spare >= r.top {
		r.hosts = r.first()
	}
}

// first returns the first hosts in their order.
func (r *ranking) first() []*host {
	slices.SortFunc(r.hosts, func(a, b *host) int { return cmp.Or(r.order(a, b), cmp.Compare(a.Name, b.Name)) })
	return r.hosts[:min(len(r.hosts), r.top)]
}

func hostOf(r *row) *host {
	n := make([]int64, hostColumns)
	copy(n, r.n)
	h := &host{Name: r.name, Fresh: n[hostFresh], Done: n[hostDone], Answers: n[hostAnswers], Bytes: n[hostBytes],
		Errors: n[hostErrors], Refused: n[hostRefused], Robots: n[hostRobots], GivenUp: n[hostGivenUp]}
	h.Waiting = max(h.Fresh-h.Done, 0)
	if n[hostGaps] > 0 {
		h.Took = time.Duration(n[hostGapTotal]) * time.Millisecond
		h.Pause = h.Took / time.Duration(n[hostGaps])
		h.Left = time.Duration(h.Waiting) * h.Pause
	}
	return h
}

// number returns the first number of a row, or 0.
func (w *whole) number(kind, name string) int64 {
	for _, r := range w.kinds[kind] {
		if r.name == name {
			return r.n[0]
		}
	}
	return 0
}

func (w *whole) answers() int64 { return w.number(kindAll, "answers") }

// size is how much has happened in the crawl, for due.
func (w *whole) size() int64 { return w.answers() + w.Fresh + w.Done }

// due reports whether a new page is written: a tenth more has happened since the last one, or
// nothing waits any more.
func (w *whole) due() bool {
	now := w.size()
	return now > w.written && (now*10 >= w.written*11 || w.Waiting == 0)
}

// bounds returns the times of the first and last answer; ok is false if there is none.
func (w *whole) bounds() (from, to time.Time, ok bool) {
	for _, r := range w.kinds[kindAll] {
		if r.name == "when" {
			return time.UnixMilli(r.n[0]).UTC(), time.UnixMilli(r.n[1]).UTC(), true
		}
	}
	return from, to, false
}

// frequent returns the rows of a kind, those with the greatest first number first.
func (w *whole) frequent(kind string) []*row {
	rows := slices.Clone(w.kinds[kind])
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(b.n[0], a.n[0]) })
	return rows
}

// numeric returns the rows of a kind whose names are numbers, in their order.
func (w *whole) numeric(kind string) []*row {
	rows := slices.Clone(w.kinds[kind])
	value := func(r *row) float64 {
		v, err := strconv.ParseFloat(r.name, 64)
		if err != nil {
			return 1e18 // otherName comes last
		}
		return v
	}
	slices.SortStableFunc(rows, func(a, b *row) int { return cmp.Compare(value(a), value(b)) })
	return rows
}
