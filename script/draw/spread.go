package draw

import (
	"cmp"
	"slices"
)

// A place is something on a line: where its centre would like to be, and how
// much room it needs.
type place struct {
	want, room float64
	set        func(float64)
}

// spread moves the places apart so that none overlap, each as near to where it
// would like to be as the others allow, and sets them.
func spread(places []place) {
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.want, b.want) })
	var groups []group
	for _, p := range places {
		g := group{members: []place{p}, start: p.want - p.room/2, room: p.room}
		for len(groups) > 0 && groups[len(groups)-1].start+groups[len(groups)-1].room > g.start {
			g = groups[len(groups)-1].join(g)
			groups = groups[:len(groups)-1]
		}
		groups = append(groups, g)
	}
	for _, g := range groups {
		at := g.start
		for _, p := range g.members {
			p.set(at + p.room/2)
			at += p.room
		}
	}
}

// A group is places that stand side by side.
type group struct {
	members     []place
	start, room float64
}

// join puts a group behind g, both where their members would like it best.
func (g group) join(behind group) group {
	n, m := float64(len(g.members)), float64(len(behind.members))
	start := (g.start*n + (behind.start-g.room)*m) / (n + m)
	return group{slices.Concat(g.members, behind.members), start, g.room + behind.room}
}

// onX and onY are places for nodes along a row or a column.
func onX(n *node, want float64) place {
	return place{want, n.w + gapX, func(x float64) { n.x = x }}
}

func onY(n *node, want float64) place {
	return place{want, n.h + gapY/2, func(y float64) { n.y = y }}
}

// mean is the average of what at gives for nodes, otherwise when there are none.
func mean(nodes []*node, at func(*node) float64, otherwise float64) float64 {
	if len(nodes) == 0 {
		return otherwise
	}
	sum := 0.0
	for _, n := range nodes {
		sum += at(n)
	}
	return sum / float64(len(nodes))
}

func atX(n *node) float64 { return n.x }
func atY(n *node) float64 { return n.y }
