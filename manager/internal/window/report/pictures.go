package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"

	"multitext/manager/internal/window/chart"
	"multitext/script/draw"
)

// A picture is part of the page, as a data: URI.
type picture struct {
	Source template.URL
	Text   string // what it shows, in words
}

func embedded(svg []byte, text string) *picture {
	return &picture{template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)), text}
}

const width, height = 960, 260 // of a picture, in pixels

// pictures are all of a report, by name. One without values is left out.
func (r *crawl) pictures() (map[string]*picture, error) {
	var flow bytes.Buffer
	if err := draw.SVG(&flow, r.script); err != nil {
		return nil, fmt.Errorf("draw the flow: %w", err)
	}
	all := map[string]*picture{"Flow": embedded(flow.Bytes(), "The stages and queues of the script, as a graph.")}
	put := func(name string, p interface {
		SVG() ([]byte, error)
		Text() string
	}) error {
		svg, err := p.SVG()
		if err == nil {
			all[name] = embedded(svg, p.Text())
		}
		return err
	}
	rows := &chart.Rows{Title: "What each stage did, and what it waited for", Width: width, From: r.from, To: r.to}
	for _, k := range kinds {
		rows.Kinds = append(rows.Kinds, k.shown)
	}
	for _, stage := range r.waits.stages {
		rows.Rows = append(rows.Rows, chart.Row{Name: stage, Shares: r.waits.shares(stage)})
	}
	if err := put("Timeline", rows); err != nil {
		return nil, err
	}
	for _, l := range []struct {
		name, title string
		unit        chart.Unit
		stacked     bool
		lines       []chart.Line
	}{
		{"Records", "Records read a second, by stage", chart.CountPerSecond, false, r.series.records},
		{"Bytes", "Bytes written a second, by stage", chart.BytesPerSecond, false, r.series.bytes},
		{"Processors", "Processors in use, by stage", chart.Count, true, r.series.processors},
		{"Batches", "Batches in the queues", chart.Count, true, r.series.batches},
		{"Queued", "Bytes in the queues", chart.Bytes, true, r.series.queuedBytes},
	} {
		if len(l.lines) == 0 {
			continue
		}
		err := put(l.name, &chart.Lines{Title: l.title, Width: width, Height: max(height, 60+18*len(l.lines)),
			From: r.from, To: r.to, Unit: l.unit, Stacked: l.stacked, Lines: l.lines})
		if err != nil {
			return nil, err
		}
	}
	for measure, m := range []struct {
		name, title string
		unit        chart.Unit
	}{wall: {"Wall", "Time of a run", chart.Seconds}, cpu: {"CPU", "CPU time of a run", chart.Seconds},
		memory: {"Memory", "Memory of the largest process of a run", chart.Bytes}} {
		boxes := &chart.Boxes{Title: m.title, Width: width, Unit: m.unit}
		for _, stage := range r.waits.stages {
			boxes.Boxes = append(boxes.Boxes, chart.Box{Name: stage, Values: r.runs.stages[stage].values(measure)})
		}
		if len(r.runs.stages) == 0 {
			continue
		}
		if err := put(m.name, boxes); err != nil {
			return nil, err
		}
	}
	return all, nil
}
