package view

import (
	"strconv"

	"multitext/manager/internal/figure"
	"multitext/script"
	"multitext/txlog"
)

// A Limit is one of the totals of a queue at which [stop] ends a crawl.
type Limit struct {
	script.QueueLimit
	Unit string // "records" or "bytes"
	Now  int64  // what was committed to the queue so far
}

// Limits returns the limits of a script on the totals of queues, in its order.
func Limits(s *script.Script, state *txlog.State) (all []Limit) {
	for _, unit := range []struct {
		name   string
		limits []script.QueueLimit
	}{{"records", s.Stop.Records}, {"bytes", s.Stop.Bytes}} {
		for _, l := range unit.limits {
			limit := Limit{QueueLimit: l, Unit: unit.name}
			limit.Now = limit.Of(state.Queue(l.Queue))
			all = append(all, limit)
		}
	}
	return all
}

// Of returns what a total has of the unit of the limit.
func (l Limit) Of(t txlog.Total) int64 {
	if l.Unit == "bytes" {
		return t.Bytes
	}
	return t.Records
}

// Reached reports whether the crawl has to stop.
func (l Limit) Reached() bool { return l.Now >= l.Limit }

// Name says what is limited: "records in archive".
func (l Limit) Name() string { return l.Unit + " in " + l.Queue }

// Progress formats how far the crawl is: "1 of 1200 records", "5 B of 13.0 MB".
func (l Limit) Progress() string {
	now := l.Amount(l.Now)
	if l.Unit == "records" {
		now = strconv.FormatInt(l.Now, 10)
	}
	return now + " of " + l.Amount(l.Limit)
}

// Amount formats a number of the unit of the limit: "1200 records", "13.0 MB".
func (l Limit) Amount(n int64) string {
	if l.Unit == "bytes" {
		return figure.Bytes(n)
	}
	return figure.Count(n, "record")
}
