package draw

import (
	"iter"
	"math"
	"slices"
	"unicode/utf8"
)

// Sizes in pixels.
const (
	nodeHeight = 40.0
	pillHeight = 26.0
	lineHeight = 12.0 // added to a pill by a second line
	charWidth  = 7.6  // of the label's font, rounded up
	noteWidth  = 6.2  // of the note's
	padding    = 14.0 // between a text and the side of its box
	gapX       = 34.0 // between boxes in a row, with space for an arrow
	gapY       = 38.0 // between boxes above each other
	margin     = 28.0
)

// measure sets the size of each node.
func measure(nodes []*node) {
	for _, n := range nodes {
		text := charWidth * float64(utf8.RuneCountInString(n.label))
		note := noteWidth * float64(utf8.RuneCountInString(n.note))
		n.w = math.Round(max(text, note) + 2*padding)
		switch {
		case n.role == stageNode:
			n.h = nodeHeight
			n.w = max(n.w, 84)
		case n.note != "":
			n.h = pillHeight + lineHeight
		default:
			n.h = pillHeight
		}
	}
}

// frame moves the nodes to their final position in the picture, below a head, and returns the width
// and height that they need.
func frame(nodes []*node, head float64) (width, bottom float64) {
	left, top, right, bottom := bounds(slices.Values(nodes))
	width = max(right-left, 520) + 2*margin
	for _, n := range nodes {
		n.x += (width - (right + left)) / 2
		n.y += head - top
	}
	return width, bottom + head - top
}

// widen moves nodes and routes where curves swing out on the left or into the head, and returns the
// width and height that the picture needs with all curves.
func widen(nodes []*node, all []*route, head, width, height float64) (float64, float64) {
	const edge = margin / 2
	left, top, right, bottom := edge, head-edge, width-edge, height+edge
	for _, r := range all {
		for _, p := range r.way() {
			left, top = min(left, p.x), min(top, p.y)
			right, bottom = max(right, p.x), max(bottom, p.y)
		}
	}
	move := point{edge - left, head - edge - top}
	for _, n := range nodes {
		n.x, n.y = n.x+move.x, n.y+move.y
	}
	for _, r := range all {
		for _, p := range []*port{&r.a, &r.b} {
			p.x, p.y = p.x+move.x, p.y+move.y
		}
	}
	return right + move.x + edge, bottom + move.y - edge
}

// bounds returns the box around nodes.
func bounds(nodes iter.Seq[*node]) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for n := range nodes {
		left, right = min(left, n.x-n.w/2), max(right, n.x+n.w/2)
		top, bottom = min(top, n.y-n.h/2), max(bottom, n.y+n.h/2)
	}
	return left, top, right, bottom
}
