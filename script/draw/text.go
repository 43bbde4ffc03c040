package draw

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"multitext/script"
)

// Text writes the graph for a terminal. First comes the main cycle from top to bottom with the
// queues between its stages. Then come the other stages, each on a line with its inputs and
// outputs, then the seeds and the products.
func Text(w io.Writer, s *script.Script) error {
	var b strings.Builder
	ring := s.MainCycle()
	if len(ring) > 0 {
		writeRing(&b, ring)
	}
	writeOthers(&b, s, ring)
	writeSeeds(&b, s)
	writeProducts(&b, s)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeRing writes the main cycle.
func writeRing(b *strings.Builder, ring []script.Edge) {
	fmt.Fprintf(b, "cycle of %d\n", len(ring))
	width := 0
	for _, e := range ring {
		width = max(width, len(e.From.Name))
	}
	for i, e := range ring {
		before := ring[(i+len(ring)-1)%len(ring)]
		edge := "│ "
		if i == 0 {
			edge = "┌→"
		}
		fmt.Fprintln(b, strings.TrimRight(fmt.Sprintf("  %s %-*s  %s", edge, width, e.From.Name,
			beside(e.From, before.Queue, e.Queue)), " "))
		edge = "│    ↓"
		if i == len(ring)-1 {
			edge = "└─────"
		}
		fmt.Fprintf(b, "  %s %s\n", edge, noted(e.Queue.Name, queueNote(e.Queue)))
	}
}

// beside returns the queues of a stage of the ring other than those before and after it.
func beside(t *script.Stage, before, after *script.Queue) string {
	var parts []string
	if note := stageNote(t); note != "" {
		parts = append(parts, "("+note+")")
	}
	if in := without(t.In, before.Name); len(in) > 0 {
		parts = append(parts, "← "+strings.Join(in, ", "))
	}
	if out := without(t.Out, after.Name); len(out) > 0 {
		parts = append(parts, "→ "+strings.Join(out, ", "))
	}
	return strings.Join(append(parts, shown(t)...), "  ")
}

// shown returns the states of other stages that a stage may read.
func shown(t *script.Stage) []string {
	var states []string
	for _, r := range t.Read {
		if r.State != "" {
			states = append(states, r.State)
		}
	}
	if len(states) == 0 {
		return nil
	}
	return []string{"reads state " + strings.Join(states, ", ")}
}

// writeOthers writes the stages that are not on the ring.
func writeOthers(b *strings.Builder, s *script.Script, ring []script.Edge) {
	var lines [][3]string
	var wide [2]int
	for _, t := range s.Stages {
		if slices.ContainsFunc(ring, func(e script.Edge) bool { return e.From == t }) {
			continue
		}
		line := [3]string{strings.Join(t.In, ", "), t.Name, strings.Join(t.Out, ", ")}
		if line[0] == "" {
			line[0] = "(clock)"
		}
		if extra := strings.Join(append([]string{stageNote(t)}, shown(t)...), "  "); extra != "" {
			line[2] += "  (" + strings.TrimSpace(extra) + ")"
		}
		wide[0], wide[1] = max(wide[0], len(line[0])), max(wide[1], len(line[1]))
		lines = append(lines, line)
	}
	switch {
	case len(lines) > 0 && len(ring) > 0:
		b.WriteString("other stages\n")
	case len(lines) > 0:
		b.WriteString("stages\n")
	}
	for _, l := range lines {
		fmt.Fprintf(b, "  %-*s → %-*s → %s\n", wide[0], l[0], wide[1], l[1], l[2])
	}
}

func writeSeeds(b *strings.Builder, s *script.Script) {
	if len(s.Seeds) == 0 {
		return
	}
	b.WriteString("seeds\n")
	for _, seed := range s.Seeds {
		fmt.Fprintf(b, "  %s → %s\n", seedLabel(s, seed), seed.Queue)
	}
}

// writeProducts writes the queues whose batches stay or are exported.
func writeProducts(b *strings.Builder, s *script.Script) {
	var lines []string
	for _, q := range s.Queues {
		if q.Keep || q.Export || len(q.Readers) == 0 {
			note := queueNote(q)
			if note == "product" {
				note = "" // the heading contains the note
			}
			lines = append(lines, "  "+noted(q.Name, note))
		}
	}
	if len(lines) > 0 {
		b.WriteString("products\n" + strings.Join(lines, "\n") + "\n")
	}
}

// noted appends a note to a name.
func noted(name, note string) string {
	if note == "" {
		return name
	}
	return name + " (" + note + ")"
}

// without returns names without one of them.
func without(names []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == one })
}
