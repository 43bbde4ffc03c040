package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"io"
	"maps"
	"slices"

	"multitext/manager/internal/built"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/view"
	"multitext/manager/internal/window/page"
	"multitext/txlog"
)

// What is bounded in a report. The language bounds the script.
const (
	mostReasons = 200
	mostAsides  = 100
	mostCounts  = 30 // of a stage
)

// Policy is the Content-Security-Policy of a report. It allows its own style and the pictures in
// it, and nothing else.
func Policy() string {
	sum := sha256.Sum256([]byte(page.Style()))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// write fills the page.
func (r *crawl) write(w io.Writer) error {
	pictures, err := r.pictures()
	if err != nil {
		return err
	}
	pages, err := page.New()
	if err != nil {
		return err
	}
	version, commit := built.From()
	return pages.Alone(w, "report", map[string]any{
		"Policy": Policy(), "Style": template.CSS(page.Style()), "Name": r.name,
		"Contents": []string{"Stages", "Flow", "Timeline", "Throughput", "Runs", "Queues", "Reasons", "Failures", "Script",
			"Machine"},
		"State": r.state, "Bottleneck": r.waits.bottleneck(r.script, r.series.computing), "Asleep": r.waits.asleep(),
		"Status": r.status, "Now": r.now, "From": r.from, "To": r.to, "Life": figure.Span(r.to.Sub(r.from)),
		"Total": r.total(), "Pictures": pictures, "Shares": r.shares(), "Counts": r.counts(),
		"Trouble": map[string]any{"Base": "", "Because": firstOf(r.status.Because, mostReasons),
			"Asides": firstOf(r.status.Asides, mostAsides)},
		"Damage": r.damage, "Failures": r.runs.newest(), "Failed": r.runs.failed, "Gone": r.gone(),
		"Path": r.script.Path, "Script": string(r.script.Text),
		"Machine": machine(r.script.Dir), "Program": version + ", commit " + commit, "Log": txlog.Version,
	})
}

// gone is how many transactions have ended whose history was deleted. The pictures begin after
// them.
func (r *crawl) gone() uint64 { return r.status.Ended - min(r.runs.n, r.status.Ended) }

// total is the sum over all stages. Its memory is the greatest.
func (r *crawl) total() (all view.Stage) {
	for _, s := range r.status.Stages {
		all.Records, all.CPU, all.Memory = all.Records+s.Records, all.CPU+s.CPU, max(all.Memory, s.Memory)
	}
	return all
}

// shares is what each stage did, as a table: kinds that never were are left out.
type shares struct {
	Kinds []string
	Rows  []stageShares
}

type stageShares struct {
	Stage  string
	Shares []string // of the kinds
}

func (r *crawl) shares() (t shares) {
	var shown []string
	for _, k := range kinds[:len(kinds)-1] {
		if slices.ContainsFunc(r.waits.stages, func(s string) bool { return r.waits.share(s, k.name) > 0 }) {
			shown, t.Kinds = append(shown, k.name), append(t.Kinds, k.shown.Name)
		}
	}
	for _, stage := range r.waits.stages {
		row := stageShares{Stage: stage}
		for _, kind := range shown {
			cell := "-"
			if share := r.waits.share(stage, kind); share > 0 {
				cell = figure.Percent(share)
			}
			row.Shares = append(row.Shares, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// counts are those that a stage has counted itself.
type counts struct {
	Stage  string
	Counts []count
}

type count struct {
	Name string
	N    int64
}

// counts are those of the stages, the greatest first.
func (r *crawl) counts() (all []counts) {
	for _, s := range r.status.Stages {
		var of []count
		for _, name := range slices.Sorted(maps.Keys(s.Counts)) {
			of = append(of, count{name, s.Counts[name]})
		}
		slices.SortStableFunc(of, func(a, b count) int { return cmp.Compare(b.N, a.N) })
		if len(of) > 0 {
			all = append(all, counts{s.Name, firstOf(of, mostCounts)})
		}
	}
	return all
}

func firstOf[T any](all []T, n int) []T { return all[:min(n, len(all))] }
