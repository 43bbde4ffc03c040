package draw

import (
	"math"
	"unicode/utf8"

	"multitext/script"
)

// Sizes in pixels.
const (
	nodeHeight = 40.0
	pillHeight = 26.0
	lineHeight = 12.0 // that a second line adds to a pill
	charWidth  = 7.6  // of the label's font, generously
	noteWidth  = 6.2  // of the note's
	padding    = 14.0 // between a text and the side of its box
	gapX       = 34.0 // between boxes side by side, room for an arrow
	gapY       = 38.0 // between boxes above each other
	margin     = 28.0
)

// measure gives each node its size.
func measure(nodes []*node) {
	for _, n := range nodes {
		text := charWidth * float64(utf8.RuneCountInString(n.label))
		note := noteWidth * float64(utf8.RuneCountInString(n.note))
		n.w = math.Round(max(text, note) + 2*padding)
		switch {
		case n.kind == stageNode:
			n.h = nodeHeight
			n.w = max(n.w, 84)
		case n.note != "":
			n.h = pillHeight + lineHeight
		default:
			n.h = pillHeight
		}
	}
}

// layout places all nodes. It returns the nodes of the ring, stages and queues
// in turns, clockwise from the top left; nil when the flow has no cycle.
func layout(f *flow, s *script.Script) []*node {
	measure(f.nodes)
	cycle := s.MainCycle()
	if len(cycle) == 0 {
		columns(f.nodes, f.links)
		return nil
	}
	var ring []*node
	for _, e := range cycle {
		ring = append(ring, f.stages[e.From], f.queues[e.Queue])
	}
	placed := placeRing(f, ring)
	var rest []*node
	for _, n := range f.nodes {
		if !placed[n] {
			rest = append(rest, n)
		}
	}
	if len(rest) > 0 { // nothing ties these to the ring
		left, _, _, bottom := bounds(f.nodes, placed)
		points := columns(rest, f.links)
		restLeft, restTop, _, _ := bounds(points, nil)
		shift(points, left-restLeft, bottom+gapY-restTop)
	}
	return ring
}

// bounds returns the box around nodes, or around those that are in only.
func bounds(nodes []*node, only map[*node]bool) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, n := range nodes {
		if only == nil || only[n] {
			left, right = min(left, n.x-n.w/2), max(right, n.x+n.w/2)
			top, bottom = min(top, n.y-n.h/2), max(bottom, n.y+n.h/2)
		}
	}
	return left, top, right, bottom
}

// shift moves nodes.
func shift(nodes []*node, dx, dy float64) {
	for _, n := range nodes {
		n.x += dx
		n.y += dy
	}
}

// neighbours returns what is linked to n in either direction.
func neighbours(n *node, links []*link) []*node {
	var near []*node
	for _, l := range links {
		if l.from == n {
			near = append(near, l.to)
		}
		if l.to == n {
			near = append(near, l.from)
		}
	}
	return near
}
