package draw

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
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

// A side is one of a node, or the direction in which nodes stand away from those placed before.
type side int

const (
	up side = iota
	down
	left
	right
)

// A layout places nodes. The main cycle comes first, and what is linked to it stands around it. A
// part of the flow that is not tied to it has its longest way in a row, and the rest around that.
type layout struct {
	f    *flow
	side map[*node]side // of the nodes that have their place
}

// place places all nodes. It returns the nodes of the main cycle, stages and queues in turns,
// clockwise from the top left; nil when the flow has no cycle.
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

// has reports whether a node has its place.
func (l *layout) has(n *node) bool {
	_, ok := l.side[n]
	return ok
}

// longestWay returns the longest way from queue to stage to queue that passes no node twice, through nodes that have
// no place. The search is bounded.
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

// placeWay places nodes in a row from left to right, below all that has its place.
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

// outside places what is linked to the nodes that have their place, ever further out.
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

// near returns the nodes that n is linked to, in either direction, that have their place and match.
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

// placeRow places nodes side by side, on one side of all that has its place. Each stands as near as
// can be to the nodes of that side that it is linked to.
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

// frame moves nodes to where the picture has room for them, below a head, and returns how far it
// reaches to the right and down.
func frame(nodes []*node, head float64) (width, bottom float64) {
	left, top, right, bottom := bounds(slices.Values(nodes))
	width = max(right-left, 520) + 2*margin
	for _, n := range nodes {
		n.x += (width - (right + left)) / 2
		n.y += head - top
	}
	return width, bottom + head - top
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

// mean is the average of what at gives for nodes, 0 without any.
func mean(nodes []*node, at func(*node) float64) float64 {
	sum := 0.0
	for _, n := range nodes {
		sum += at(n)
	}
	return sum / max(1, float64(len(nodes)))
}

// spread returns centres for things on a line, as near to where they want to be as they can without
// one lying on another. Those that crowd form a group around the place that suits them together.
func spread(want []float64, room func(int) float64) []float64 {
	type group struct {
		members     []int
		start, room float64
	}
	order := make([]int, len(want))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
	var groups []group
	for _, i := range order {
		g := group{[]int{i}, want[i] - room(i)/2, room(i)}
		for len(groups) > 0 && groups[len(groups)-1].start+groups[len(groups)-1].room > g.start {
			before := groups[len(groups)-1]
			groups = groups[:len(groups)-1]
			n, m := float64(len(before.members)), float64(len(g.members))
			start := (before.start*n + (g.start-before.room)*m) / (n + m)
			g = group{append(before.members, g.members...), start, before.room + g.room}
		}
		groups = append(groups, g)
	}
	at := make([]float64, len(want))
	for _, g := range groups {
		for _, i := range g.members {
			at[i] = g.start + room(i)/2
			g.start += room(i)
		}
	}
	return at
}
