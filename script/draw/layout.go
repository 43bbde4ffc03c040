package draw

import (
	"maps"
	"slices"

	"multitext/script"
)

// A side is a side of a node, or the direction in which a node is placed away from the nodes placed
// before.
type side int

const (
	up side = iota
	down
	left
	right
)

// A layout places nodes. It places the main cycle first, and the nodes that are linked to it around
// it. In a part of the graph that is not linked to the main cycle, it places the longest path in a
// row, and the rest around that.
type layout struct {
	f    *flow
	side map[*node]side // of the nodes that are placed
}

// place places all nodes. It returns the nodes of the main cycle, stages and queues alternately,
// clockwise from the top left. It returns nil if the graph has no cycle.
func place(f *flow, s *script.Script) (ring []*node) {
	measure(f.nodes)
	l := &layout{f, map[*node]side{}}
	for _, e := range s.MainCycle() {
		ring = append(ring, f.stages[e.From], f.queues[e.Queue])
	}
	if len(ring) > 0 {
		l.placeRing(ring)
		l.outside()
	}
	for len(l.side) < len(f.nodes) {
		l.placeWay(l.longestWay())
		l.outside()
	}
	return ring
}

// has reports whether a node is placed.
func (l *layout) has(n *node) bool {
	_, ok := l.side[n]
	return ok
}

// longestWay returns the longest path from queue to stage to queue that visits no node twice,
// through nodes that are not placed yet. The search is bounded.
func (l *layout) longestWay() (best []*node) {
	next := map[*node][]*node{}
	for _, k := range l.f.links {
		if k.state == "" {
			next[k.from] = append(next[k.from], k.to)
		}
	}
	budget := 100_000
	var walk func(way []*node)
	walk = func(way []*node) {
		if len(way) > len(best) {
			best = slices.Clone(way)
		}
		for _, n := range next[way[len(way)-1]] {
			if budget--; budget > 0 && !slices.Contains(way, n) {
				walk(append(way, n))
			}
		}
	}
	for _, n := range l.f.nodes {
		if !l.has(n) {
			walk([]*node{n})
		}
	}
	return best
}

// placeWay places nodes in a row from left to right, below all nodes that are placed.
func (l *layout) placeWay(way []*node) {
	x, top := 0.0, 0.0
	if len(l.side) > 0 {
		var bottom float64
		x, _, _, bottom = bounds(maps.Keys(l.side))
		top = bottom + gapY
	}
	for _, n := range way {
		n.x, n.y = x+n.w/2, top+nodeHeight/2
		x += n.w + gapX
		l.side[n] = down
	}
}

// outside places the nodes that are linked to placed nodes, in growing distance.
func (l *layout) outside() {
	for {
		rows := map[side][]*node{}
		for _, n := range l.f.nodes {
			near := l.near(n, func(*node) bool { return true })
			if !l.has(n) && len(near) > 0 {
				s := l.side[near[0]]
				rows[s] = append(rows[s], n)
			}
		}
		if len(rows) == 0 {
			return
		}
		for s := up; s <= right; s++ {
			l.placeRow(s, rows[s])
		}
	}
}

// near returns the placed nodes that match and are linked to n, in either direction.
func (l *layout) near(n *node, match func(*node) bool) (near []*node) {
	for _, k := range l.f.links {
		other := k.to
		if n == k.to {
			other = k.from
		}
		if (n == k.from || n == k.to) && l.has(other) && match(other) {
			near = append(near, other)
		}
	}
	return near
}

// placeRow places nodes in a row, on one side of all placed nodes. Each node is as near as possible
// to the nodes of that side to which it is linked.
func (l *layout) placeRow(s side, row []*node) {
	leftmost, top, rightmost, bottom := bounds(maps.Keys(l.side))
	var want []float64
	deep := 0.0
	for _, n := range row {
		near := l.near(n, func(m *node) bool { return l.side[m] == s })
		if s == up || s == down {
			want, deep = append(want, mean(near, func(m *node) float64 { return m.x })), max(deep, n.h)
		} else {
			want, deep = append(want, mean(near, func(m *node) float64 { return m.y })), max(deep, n.w)
		}
	}
	var at []float64
	if s == up || s == down {
		at = spread(want, func(i int) float64 { return row[i].w + gapX })
	} else {
		at = spread(want, func(i int) float64 { return row[i].h + gapY/2 })
	}
	for i, n := range row {
		l.side[n] = s
		switch s {
		case up:
			n.x, n.y = at[i], top-gapY-deep/2
		case down:
			n.x, n.y = at[i], bottom+gapY+deep/2
		case left:
			n.x, n.y = leftmost-gapX-deep/2, at[i]
		case right:
			n.x, n.y = rightmost+gapX+deep/2, at[i]
		}
	}
}
