// Package draw draws the graph of a script: as text for a terminal, in the languages of Graphviz
// and Mermaid, and as an SVG picture.
//
// All four forms show the stages, the queues between them, the seed files, and the states that one
// stage shows to another. The same script always yields the same output, byte for byte. Names from
// the script are escaped, so the output is always well formed.
//
// The picture shows the main cycle of the graph (see [script.Script.MainCycle]) as a ring,
// clockwise. Queues that connect only stages of the ring are inside the ring, and everything else
// is outside. A queue that only one stage writes and reads is a small loop at that stage. If the
// graph has no cycle, its longest path is a row from left to right, and everything else is below
// it.
//
// The package has its own layout, because the layout of Graphviz does not show the cycle. For the
// scripts with a cycle in examples and testdata, Graphviz makes strips four to nine times as wide
// as high (3963 by 452 for examples/c4; ours is 1989 by 656). In these strips the cycle is a line
// with one long arrow back. Graphviz's circo makes a circle of 3027 by 2979 that does not follow
// the cycle.
package draw

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"multitext/script"
)

// A role is the kind of thing that a node represents.
type role int

const (
	stageNode role = iota
	queueNode
	seedNode
)

// A node is a box of the drawing.
type node struct {
	role  role
	id    string // unique, of letters, digits and _
	label string
	note  string // a second line, may be empty
	stage *script.Stage
	queue *script.Queue

	x, y, w, h float64 // centre and size; set by the layout
}

// A link is an arrow from one node to another. The link of a state has the name of the state.
type link struct {
	from, to *node
	state    string
}

// A flow is the graph of a script as nodes and links.
type flow struct {
	nodes  []*node
	links  []*link
	stages map[*script.Stage]*node
	queues map[*script.Queue]*node
}

// newFlow returns the nodes and links of a script, in file order.
func newFlow(s *script.Script) *flow {
	f := &flow{stages: map[*script.Stage]*node{}, queues: map[*script.Queue]*node{}}
	for _, q := range s.Queues {
		f.queues[q] = f.add(&node{role: queueNode, id: "q_" + q.Name, label: q.Name, note: queueNote(q), queue: q})
	}
	for _, t := range s.Stages {
		f.stages[t] = f.add(&node{role: stageNode, id: "s_" + t.Name, label: t.Name, note: stageNote(t), stage: t})
	}
	for i, seed := range s.Seeds {
		n := f.add(&node{role: seedNode, id: fmt.Sprintf("seed_%d", i+1), label: seedLabel(s, seed), note: "seeds"})
		f.links = append(f.links, &link{from: n, to: f.queues[s.Queue(seed.Queue)]})
	}
	for _, t := range s.Stages {
		f.linkStage(s, t)
	}
	return f
}

func (f *flow) add(n *node) *node {
	f.nodes = append(f.nodes, n)
	return n
}

// linkStage adds the links of one stage.
func (f *flow) linkStage(s *script.Script, t *script.Stage) {
	for _, name := range t.In {
		f.links = append(f.links, &link{from: f.queues[s.Queue(name)], to: f.stages[t]})
	}
	for _, name := range t.Out {
		f.links = append(f.links, &link{from: f.stages[t], to: f.queues[s.Queue(name)]})
	}
	for _, r := range t.Read {
		if owner := s.Owner(r.State); owner != nil {
			f.links = append(f.links, &link{from: f.stages[owner], to: f.stages[t], state: r.State})
		}
	}
}

// stageNote returns the settings of a stage to show in the drawing.
func stageNote(t *script.Stage) string {
	var notes []string
	if t.Every > 0 {
		notes = append(notes, "every "+period(t.Every))
	}
	if t.State != "" {
		notes = append(notes, "state "+t.State)
	}
	if t.Jobs > 1 {
		notes = append(notes, fmt.Sprintf("%d at once", t.Jobs))
	}
	return strings.Join(notes, ", ")
}

// period prints a duration without the trailing zeros of Go's own format.
func period(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// queueNote returns the settings of a queue to show in the drawing.
func queueNote(q *script.Queue) string {
	var notes []string
	switch {
	case q.Export:
		notes = append(notes, "exported")
	case q.Keep:
		notes = append(notes, "kept")
	case len(q.Readers) == 0:
		notes = append(notes, "product")
	}
	if q.Full.Batches > 0 {
		notes = append(notes, fmt.Sprintf("full at %d", q.Full.Batches))
	} else if q.Full.Bytes > 0 {
		notes = append(notes, "full at "+size(q.Full.Bytes))
	}
	return strings.Join(notes, ", ")
}

// size prints bytes with the unit that gives the shortest text.
func size(bytes int64) string {
	for _, u := range []struct {
		name  string
		bytes int64
	}{{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}} {
		if bytes >= u.bytes {
			return fmt.Sprintf("%.4g %s", float64(bytes)/float64(u.bytes), u.name)
		}
	}
	return fmt.Sprintf("%d B", bytes)
}

// seedLabel returns the path of the seed file relative to the script's folder, printable and not
// too long.
func seedLabel(s *script.Script, seed script.Seed) string {
	name, err := filepath.Rel(s.Folder, seed.File)
	if err != nil || strings.HasPrefix(name, "..") {
		name = seed.File
	}
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, name))
	if len(runes) > 40 {
		return "…" + string(runes[len(runes)-39:])
	}
	return string(runes)
}
