package main

import (
	"encoding/json"
	"io"
)

// result is all that is printed of a size; -json prints it, in format version 1.
type result struct {
	Version      int          `json:"version"`
	Pages        int          `json:"pages"` // of the web
	Hosts        int          `json:"hosts"`
	Work         work         `json:"work"`
	Enclosed     bool         `json:"enclosed"` // bench ran in namespaces of its own
	Contestants  []contestant `json:"contestants"`
	Stages       []share      `json:"stages"`       // of multitext, medians; the manager is one of them
	Transactions int          `json:"transactions"` // of a crawl
	Fsyncs       *int         `json:"fsyncs"`       // of a crawl, null where they were not counted
}

// work is where the crawls were made; the folder is removed.
type work struct {
	Dir        string `json:"dir"`
	Filesystem string `json:"filesystem"`
}

type contestant struct {
	Name    string               `json:"name"`
	Command []string             `json:"command"`
	Runs    []map[string]float64 `json:"runs"` // one for each round, by the names that are printed
	Figures map[string]spread    `json:"figures"`
}

// share is what one stage took, the medians of the rounds.
type share struct {
	Name   string  `json:"name"`
	Runs   float64 `json:"runs"`
	CPU    float64 `json:"cpu_seconds"`
	Share  float64 `json:"share"`       // of the sum
	Memory float64 `json:"peak_memory"` // resident bytes of its largest process, 0 where it is not known
}

func newResult(o *options, s size, dir string, entries []*entry, web string) *result {
	first := entries[0]
	r := &result{
		Version: 1, Pages: s.pages, Hosts: s.hosts, Work: work{dir, filesystem(dir)}, Enclosed: o.inside,
		Stages: first.shares(), Transactions: first.outings[0].crawl.Transactions,
	}
	if first.watched != nil {
		r.Fsyncs = first.watched.fsyncs
	}
	for _, e := range entries {
		c := contestant{e.name, e.command(dir, web), nil, e.spreads(first, s.pages)}
		for _, crawled := range e.outings {
			values := map[string]float64{}
			for _, f := range figures() {
				if !f.watched {
					values[f.key] = f.of(crawled, s.pages)
				}
			}
			c.Runs = append(c.Runs, values)
		}
		r.Contestants = append(r.Contestants, c)
	}
	return r
}

// shares are the stages of a build of multitext in the order of its script.
func (e *entry) shares() (all []share) {
	total := 0.0
	for i, s := range e.outings[0].crawl.Stages {
		over := func(of func(stage) float64) float64 {
			var values []float64
			for _, crawled := range e.outings {
				values = append(values, of(crawled.crawl.Stages[i]))
			}
			return median(values)
		}
		all = append(all, share{
			Name:   s.Name,
			Runs:   over(func(s stage) float64 { return float64(s.Runs) }),
			CPU:    over(func(s stage) float64 { return s.CPU }),
			Memory: over(func(s stage) float64 { return float64(s.Memory) }),
		})
		total += all[i].CPU
	}
	for i := range all {
		all[i].Share = all[i].CPU / total
	}
	return all
}

func writeJSON(w io.Writer, r any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(r)
}
