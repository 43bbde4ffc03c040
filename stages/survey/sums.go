package main

import (
	"cmp"
	"slices"
	"strings"
)

// Kinds of rows. The name of a row of kindHost is a host with its port, as in a URL.
const (
	kindAll      = "all" // name: answers, when
	kindStatus   = "status"
	kindType     = "type"
	kindSize     = "size"
	kindDepth    = "depth"
	kindLanguage = "language"
	kindOutcome  = "outcome"
	kindDay      = "day"
	kindReason   = "reason"
	kindScore    = "score"
	kindHost     = "host"
	kindWritten  = "written" // how much had happened at the last page; the last row
)

// Columns of the rows that count answers.
const (
	colAnswers = iota
	colBytes
)

// Columns of hosts.
const (
	hostFresh    = iota // URLs that were to be fetched
	hostDone            // of these, URLs that have an answer, were refused or given up
	hostAnswers         // answers, repeated visits too
	hostBytes           // of these
	hostErrors          // answers that are no HTTP, or have a status of 400 or more
	hostRefused         // URLs that were refused before a request
	hostRobots          // of these, by robots.txt
	hostGivenUp         // URLs that have no answer after the last try
	hostGaps            // pauses between two answers of a run of fetch
	hostGapTotal        // milliseconds of these
	hostColumns
)

// mostNames is the maximum number of names of a kind, hosts excepted. A server can invent types and
// languages, and each would be a row for ever.
const mostNames = 1000

// mostOfRun is the same for one run. It is larger, so that a name which the state has is counted
// also after many new ones.
const mostOfRun = 20 * mostNames

// otherName is the row of names beyond mostNames.
const otherName = "(other)"

// A row has numbers about a name. They are added when rows of two runs are merged, except those of
// the row when: the least and the greatest time, in milliseconds since 1970.
type row struct {
	kind, name string
	n          []int64
	text       string // an example; that of the first row stays
}

// order is that of the rows in a segment.
func (r *row) order(other *row) int {
	return cmp.Or(cmp.Compare(r.kind, other.kind), strings.Compare(r.name, other.name))
}

// add adds another row of the same name, which is newer.
func (r *row) add(newer *row) {
	if len(r.n) == 0 {
		r.n, r.text = slices.Clone(newer.n), newer.text
		return
	}
	for len(r.n) < len(newer.n) {
		r.n = append(r.n, 0)
	}
	if r.kind == kindAll && r.name == "when" {
		r.n[0], r.n[1] = min(r.n[0], newer.n[0]), max(r.n[1], newer.n[1])
		return
	}
	for i, v := range newer.n {
		r.n[i] += v
	}
	r.text = cmp.Or(r.text, newer.text)
}

// sums are the rows of one run.
type sums struct {
	rows  map[string]*row // by kind and name
	names map[string]int  // how many names a kind has
}

func newSums() *sums { return &sums{rows: map[string]*row{}, names: map[string]int{}} }

// at returns the row of a name with so many columns.
func (s *sums) at(kind, name string, columns int) *row {
	if r := s.rows[kind+"\t"+name]; r != nil {
		return r
	}
	if kind != kindHost && s.names[kind] >= mostOfRun && name != otherName {
		return s.at(kind, otherName, columns)
	}
	s.names[kind]++
	r := &row{kind: kind, name: name, n: make([]int64, columns)}
	s.rows[kind+"\t"+name] = r
	return r
}

// count adds an answer of some bytes to a row.
func (s *sums) count(kind, name string, bytes int64) {
	r := s.at(kind, name, 2)
	r.n[colAnswers]++
	r.n[colBytes] += bytes
}

func (s *sums) host(name string) *row { return s.at(kindHost, name, hostColumns) }

// when widens the time of the answers.
func (s *sums) when(ms int64) {
	s.at(kindAll, "when", 0).add(&row{n: []int64{ms, ms}})
}

// sorted returns the rows in their order.
func (s *sums) sorted() []*row {
	out := make([]*row, 0, len(s.rows))
	for _, r := range s.rows {
		out = append(out, r)
	}
	slices.SortFunc(out, (*row).order)
	return out
}
