package main

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A table is one table of the page and of -tsv.
type table struct {
	Kind, Title, Note string
	Columns           []string // the first is that of the names
	Rows              [][]string
	Bars              []float64 // of each row, the share of the greatest; nil: none
}

// tablesOf returns all tables, in the order of the page.
func (w *whole) tablesOf() []table {
	out := []table{
		w.hosts("waiting", "What the crawl waits for", "The time that is left is that of the URLs of a host which wait, at the "+
			"mean pause between two of its answers. URLs that are under way count as waiting.", w.Slowest),
		w.reasons(),
		w.hosts("longest", "What the crawl has waited for", "The hosts whose pauses between two answers of a run were "+
			"the longest in all: their number times the mean pause.", w.Longest),
		w.hosts("errors", "Errors by host", "Answers with a status of 400 or more or that are no HTTP, and URLs given up "+
			"without an answer.", w.Worst),
		w.counts("status", "Answers by status", w.frequent(kindStatus), nil),
		w.counts("type", "By type", w.frequent(kindType), nil),
		w.counts("size", "By size", w.numeric(kindSize), sizeName),
		w.counts("depth", "By depth, in links from a seed", w.numeric(kindDepth), nil),
		w.counts("language", "By language or topic, as classify says", w.frequent(kindLanguage), nil),
		w.counts("outcome", "What was new", w.frequent(kindOutcome), nil),
		w.counts("day", "By day, UTC", w.kinds[kindDay], nil),
		w.scores(),
		w.hosts("hosts", "Hosts with the most answers", w.tail(), w.Largest),
	}
	kept := out[:0]
	for _, t := range out {
		if len(t.Rows) > 0 {
			kept = append(kept, t)
		}
	}
	return kept
}

func (w *whole) tail() string {
	return fmt.Sprintf("Of %d hosts, %d have one to ten answers and %d have none.", w.Hosts, w.Few, w.Unmet)
}

// counts is a table of answers.
func (w *whole) counts(kind, title string, rows []*row, name func(string) string) table {
	t := table{Kind: kind, Title: title, Columns: []string{kind, "answers", "bytes"}}
	for _, r := range rows {
		shown := r.name
		if name != nil {
			shown = name(r.name)
		}
		t.Rows = append(t.Rows, []string{shown, number(r.n[colAnswers]), number(r.n[colBytes])})
		t.Bars = append(t.Bars, float64(r.n[colAnswers]))
	}
	return t.scaled()
}

func (t table) scaled() table {
	most := 1.0
	for _, bar := range t.Bars {
		most = max(most, bar)
	}
	for i := range t.Bars {
		t.Bars[i] /= most
	}
	return t
}

// sizeName says which answers a row of sizes has: those of the name's number of bits.
func sizeName(name string) string {
	bits, err := strconv.Atoi(name)
	if err != nil || bits > 62 {
		return name
	}
	if bits == 0 {
		return "0 B"
	}
	return "below " + bytesText(1<<bits)
}

func (w *whole) reasons() table {
	t := table{Kind: "reason", Title: "Why URLs went no further",
		Note:    "trace -crawl DIR URL says why a URL was not fetched, or where its answer is.",
		Columns: []string{"reason", "URLs", "example"}}
	for _, r := range w.frequent(kindReason) {
		t.Rows = append(t.Rows, []string{r.name, number(r.n[0]), r.text})
		t.Bars = append(t.Bars, float64(r.n[0]))
	}
	return t.scaled()
}

func (w *whole) scores() table {
	t := table{Kind: "score", Title: "By score",
		Note:    "URLs found with a score from this to the next tenth, and answers of such URLs.",
		Columns: []string{"score", "found", "fetched"}}
	for _, r := range w.kinds[kindScore] {
		t.Rows = append(t.Rows, []string{r.name, number(r.n[colFound]), number(r.n[colFetched])})
		t.Bars = append(t.Bars, float64(r.n[colFound]))
	}
	return t.scaled()
}

// hostColumnNames are the columns of the tables of hosts.
func hostColumnNames() []string {
	return []string{"host", "waiting", "pause_ms", "left_s", "found", "answers", "bytes", "errors", "refused", "robots", "given_up"}
}

func (w *whole) hosts(kind, title, note string, list *ranking) table {
	t := table{Kind: kind, Title: title, Note: note, Columns: hostColumnNames()}
	for _, h := range list.first() {
		t.Rows = append(t.Rows, h.row())
	}
	return t
}

// row is a host as cells.
func (h *host) row() []string {
	pause, left := "-", "-"
	if h.Pause > 0 {
		pause, left = number(h.Pause.Milliseconds()), strconv.FormatFloat(h.Left.Seconds(), 'f', 0, 64)
	}
	return []string{h.Name, number(h.Waiting), pause, left, number(h.Fresh), number(h.Answers), number(h.Bytes),
		number(h.Errors), number(h.Refused), number(h.Robots), number(h.GivenUp)}
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// tables returns all tables as TSV. The first column is the kind of the table, so that awk selects
// one; the first row of each table names its columns.
func (w *whole) tables() []byte {
	var b bytes.Buffer
	for _, t := range w.tablesOf() {
		fmt.Fprintf(&b, "%s\t%s\n", t.Kind, strings.Join(t.Columns, "\t"))
		for _, r := range t.Rows {
			fmt.Fprintf(&b, "%s\t%s\n", t.Kind, strings.Join(plain(r), "\t"))
		}
	}
	return b.Bytes()
}

// plain returns cells without tabs, line ends and other characters that do not show.
func plain(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = strings.Map(func(c rune) rune {
			if c == '\n' || visible(c) != c {
				return '?'
			}
			return c
		}, cell)
	}
	return out
}
