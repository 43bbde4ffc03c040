package draw

import (
	"slices"

	"multitext/script"
)

// placeRing places a cycle, in which stages and queues alternate, on two rows. Between the rows it
// places the queues that lead from one stage of the cycle to another.
func (l *layout) placeRing(ring []*node) {
	chords := l.chords(ring)
	stages := len(ring) / 2
	top := (stages + 1) / 2
	step := widest(ring, stageNode) + widest(ring, queueNode) + 2*gapX
	span := step * float64(top-1)
	height := 150 + 52*float64(len(chords))
	if stages == 1 && len(chords) == 0 {
		height = nodeHeight + 2*gapY
	}
	for i := range stages {
		n := ring[2*i]
		if i < top {
			n.x, n.y = step*float64(i), 0
			l.side[n] = up
			continue
		}
		n.x, n.y = span/2, height
		if below := stages - top; below > 1 {
			n.x = span - span*float64(i-top)/float64(below-1)
		}
		l.side[n] = down
	}
	// Chords are at most between the columns of the outer stages.
	reach := max(widest(ring, stageNode), widest(chords, queueNode))/2 + gapX
	for i := range stages {
		queue, from, to := ring[2*i+1], ring[2*i], ring[(2*i+2)%len(ring)]
		switch {
		case stages == 1: // one stage that feeds itself
			queue.y, l.side[queue] = height, down
		case i == top-1:
			queue.x, queue.y, l.side[queue] = span+reach+queue.w/2, height/2, right
		case i == stages-1:
			queue.x, queue.y, l.side[queue] = -reach-queue.w/2, height/2, left
		default:
			queue.x, queue.y, l.side[queue] = (from.x+to.x)/2, from.y, l.side[from]
		}
	}
	for i, n := range chords {
		n.x = mean(l.near(n, func(m *node) bool { return slices.Contains(ring, m) }),
			func(m *node) float64 { return m.x })
		n.y = height * float64(i+1) / float64(len(chords)+1)
		l.side[n] = up // its other nodes are placed outside of the nearer row
		if n.y > height/2 {
			l.side[n] = down
		}
	}
}

// chords returns the queues outside the ring that lead from one of its stages to another. A queue
// that only one stage writes and reads is not a chord: it is beside the ring, at its stage.
func (l *layout) chords(ring []*node) (chords []*node) {
	on := func(stages []*script.Stage) bool {
		return slices.ContainsFunc(stages, func(s *script.Stage) bool { return slices.Contains(ring, l.f.stages[s]) })
	}
	for _, n := range l.f.nodes {
		if n.role != queueNode || slices.Contains(ring, n) {
			continue
		}
		loop := len(n.queue.Writers) == 1 && slices.Equal(n.queue.Writers, n.queue.Readers)
		if !loop && on(n.queue.Writers) && on(n.queue.Readers) {
			chords = append(chords, n)
		}
	}
	return chords
}

// widest returns the width of the widest node of a role.
func widest(nodes []*node, k role) float64 {
	w := 0.0
	for _, n := range nodes {
		if n.role == k {
			w = max(w, n.w)
		}
	}
	return w
}
