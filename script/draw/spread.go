package draw

import (
	"cmp"
	"slices"
)

// mean returns the average of at over nodes, or 0 if there are none.
func mean(nodes []*node, at func(*node) float64) float64 {
	sum := 0.0
	for _, n := range nodes {
		sum += at(n)
	}
	return sum / max(1, float64(len(nodes)))
}

// spread returns centres for things on a line, as near to the positions in want as possible without
// overlap. Things that are too close form a group around the position that is best for all of them.
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
