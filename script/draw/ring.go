package draw

import (
	"slices"

	"multitext/script"
)

// A side is the direction in which nodes stand away from the ring.
type side int

const (
	up side = iota
	down
	left
	right
)

// A ringLayout places the main cycle on two rows, what ties its stages
// together between the rows, and all else outside.
type ringLayout struct {
	f      *flow
	ring   []*node // stages and queues in turns, clockwise
	placed map[*node]bool
	side   map[*node]side // of placed nodes
}

// placeRing places the ring and all that is linked to it, and returns the
// nodes that it placed.
func placeRing(f *flow, ring []*node) map[*node]bool {
	r := &ringLayout{f: f, ring: ring, placed: map[*node]bool{}, side: map[*node]side{}}
	for _, n := range ring {
		r.placed[n] = true
	}
	chords := r.chords()
	r.rows(chords)
	r.placeChords(chords)
	r.outside()
	return r.placed
}

// chords returns the queues off the ring that lead from one of its stages to
// another.
func (r *ringLayout) chords() []*node {
	var chords []*node
	on := func(stages []*script.Stage) bool {
		return slices.ContainsFunc(stages, func(s *script.Stage) bool { return r.placed[r.f.stages[s]] })
	}
	for _, n := range r.f.nodes {
		if n.kind == queueNode && !r.placed[n] && on(n.queue.Writers) && on(n.queue.Readers) {
			chords = append(chords, n)
		}
	}
	return chords
}

// rows places the ring: half of its stages in the top row from left to right,
// the others below from right to left, each queue between its two stages, and
// the two queues that lead from row to row at the sides.
func (r *ringLayout) rows(chords []*node) {
	stages := len(r.ring) / 2
	top := (stages + 1) / 2
	step := widest(r.ring, stageNode) + widest(r.ring, queueNode) + 2*gapX
	span := step * float64(top-1)
	height := 150 + 52*float64(len(chords))
	if stages == 1 && len(chords) == 0 {
		height = nodeHeight + 2*gapY
	}
	for i := range stages {
		n := r.ring[2*i]
		if i < top {
			n.x, n.y = step*float64(i), 0
			r.side[n] = up
			continue
		}
		n.x, n.y = span/2, height
		if below := stages - top; below > 1 {
			n.x = span - span*float64(i-top)/float64(below-1)
		}
		r.side[n] = down
	}
	// Chords stand between the columns of the outer stages at most.
	reach := max(widest(r.ring, stageNode), widest(chords, queueNode))/2 + gapX
	for i := range stages {
		r.placeRingQueue(i, top, span+reach, -reach, height)
	}
}

// placeRingQueue places the queue behind the i-th stage.
func (r *ringLayout) placeRingQueue(i, top int, rightmost, leftmost, height float64) {
	queue, from, to := r.ring[2*i+1], r.ring[2*i], r.ring[(2*i+2)%len(r.ring)]
	switch {
	case len(r.ring) == 2: // one stage that feeds itself
		queue.y = height
		r.side[queue] = down
	case i == top-1:
		queue.x, queue.y = rightmost+queue.w/2, height/2
		r.side[queue] = right
	case i == len(r.ring)/2-1:
		queue.x, queue.y = leftmost-queue.w/2, height/2
		r.side[queue] = left
	default:
		queue.x, queue.y = (from.x+to.x)/2, from.y
		r.side[queue] = r.side[from]
	}
}

// widest returns the width of the widest node of a kind.
func widest(nodes []*node, k kind) float64 {
	w := 0.0
	for _, n := range nodes {
		if n.kind == k {
			w = max(w, n.w)
		}
	}
	return w
}

// placeChords stacks the chords between the rows. What else is tied to one
// stands outside of the row that it is nearer to.
func (r *ringLayout) placeChords(chords []*node) {
	_, _, _, height := bounds(r.ring, nil)
	height -= nodeHeight / 2
	for i, n := range chords {
		near := slices.DeleteFunc(neighbours(n, r.f.links), func(m *node) bool { return !slices.Contains(r.ring, m) })
		n.x = mean(near, atX, 0)
		n.y = height * float64(i+1) / float64(len(chords)+1)
		r.placed[n] = true
		r.side[n] = up
		if n.y > height/2 {
			r.side[n] = down
		}
	}
}

// outside places what is linked to the ring, ever further out.
func (r *ringLayout) outside() {
	for found := r.next(); len(found) > 0; found = r.next() {
		for _, s := range []side{up, down, left, right} {
			var row []*node
			for _, n := range found {
				if r.side[n] == s {
					row = append(row, n)
				}
			}
			r.placeRow(s, row)
		}
	}
}

// next returns the nodes that are linked to a placed one and are not placed,
// and gives them their side.
func (r *ringLayout) next() []*node {
	var found []*node
	for _, n := range r.f.nodes {
		if r.placed[n] {
			continue
		}
		for _, near := range neighbours(n, r.f.links) {
			if s, ok := r.side[near]; ok && r.placed[near] {
				r.side[n] = s
				found = append(found, n)
				break
			}
		}
	}
	return found
}

// placeRow places nodes side by side, outside of all that is placed.
func (r *ringLayout) placeRow(s side, row []*node) {
	var places []place
	deep := 0.0
	for _, n := range row {
		near := slices.DeleteFunc(neighbours(n, r.f.links), func(m *node) bool { return !r.placed[m] || r.side[m] != s })
		if s == up || s == down {
			deep = max(deep, n.h)
			places = append(places, onX(n, mean(near, atX, 0)))
		} else {
			deep = max(deep, n.w)
			places = append(places, onY(n, mean(near, atY, 0)))
		}
	}
	spread(places)
	leftmost, top, rightmost, bottom := bounds(r.f.nodes, r.placed)
	for _, n := range row {
		r.placed[n] = true
		switch s {
		case up:
			n.y = top - gapY - deep/2
		case down:
			n.y = bottom + gapY + deep/2
		case left:
			n.x = leftmost - gapX - deep/2
		case right:
			n.x = rightmost + gapX + deep/2
		}
	}
}
