package draw

import (
	"cmp"
	"math"
	"slices"
)

// A route is the curve of a link.
type route struct {
	*link
	main       bool // part of the main cycle
	start, end side // sides of from and to
	a, b       port
	pull       [2]float64 // how far the curve continues straight at its ends, relative to their distance
}

// routes chooses the sides at which links end, and distributes the links that end at one side along
// it. Then the ends of the links are known, and it bends the links around boxes.
func routes(f *flow, ring []*node) (all []*route) {
	for _, l := range f.links {
		r := &route{link: l, pull: [2]float64{0.55, 0.55}}
		i := slices.Index(ring, l.from)
		r.main = i >= 0 && ring[(i+1)%len(ring)] == l.to && l.state == ""
		r.face()
		if !r.main {
			r.avoid(f.nodes)
		}
		all = append(all, r)
	}
	spreadPorts(all)
	for _, r := range all {
		if !r.main {
			r.bow(f.nodes)
		}
	}
	return all
}

// face ends a link at the sides of its nodes that face each other. In rows, one above the other,
// these are top and bottom, because the neighbours in the row are on the left and the right. Where
// the main cycle leads from one row to the other, it leaves the row sideways.
func (r *route) face() {
	a, b := r.from, r.to
	across, along := right, down
	if a.x > b.x {
		across = left
	}
	if a.y > b.y {
		along = up
	}
	above := math.Abs(a.y-b.y) > (a.h+b.h)/2
	switch {
	case !above:
		r.start, r.end = across, opposite(across)
	case r.main && math.Abs(a.x-b.x) > (a.w+b.w)/2 && a.role == stageNode:
		r.start, r.end = across, opposite(along)
	case r.main && math.Abs(a.x-b.x) > (a.w+b.w)/2:
		r.start, r.end = along, opposite(across)
	default:
		r.start, r.end = along, opposite(along)
	}
}

// opposite returns the opposite side of a node.
func opposite(s side) side { return s ^ 1 }

// avoid chooses other sides for a link that would run under boxes. It chooses the sides with the
// fewest boxes over the link, and of these the ones with the shortest link.
func (r *route) avoid(nodes []*node) {
	least := r.aim(nodes)
	if least < underBox {
		return
	}
	best := *r
	for r.start = up; r.start <= right; r.start++ {
		for r.end = up; r.end <= right; r.end++ {
			if cost := r.aim(nodes); cost < least-1 {
				best, least = *r, cost
			}
		}
	}
	*r = best
}

// aim ends a link in the middle of its sides, and returns the cost of the link.
func (r *route) aim(nodes []*node) float64 {
	r.a, r.b = portAt(r.from, r.start, 0), portAt(r.to, r.end, 0)
	return r.bow(nodes)
}

// underBox is the cost of a box that a link runs under. The cost of a pixel is 1.
const underBox = 1e6

// bow bends a link so that it runs under the fewest boxes, and returns its cost. It bends it
// strongly only if it must.
func (r *route) bow(nodes []*node) float64 {
	cost := r.bend(nodes, []float64{0.55, 0.35, 0.8, 1, 1.15, 1.4})
	if cost < underBox {
		return cost
	}
	slight := r.pull
	if strong := r.bend(nodes, []float64{0.15, 0.55, 1, 1.8, 2.4, 3}); strong < cost-1 {
		return strong
	}
	r.pull = slight
	return cost
}

// bend bends a link by those of the pulls that cost least, and returns the cost.
func (r *route) bend(nodes []*node, pulls []float64) float64 {
	best, least := r.pull, math.Inf(1)
	for _, r.pull[0] = range pulls {
		for _, r.pull[1] = range pulls {
			way := r.way()
			cost := underBox * float64(len(beneath(way, nodes, r.from, r.to)))
			for i := range way[1:] {
				cost += math.Hypot(way[i+1].x-way[i].x, way[i+1].y-way[i].y)
			}
			if cost < underBox {
				return cost
			}
			if cost < least {
				best, least = r.pull, cost
			}
		}
	}
	r.pull = best
	return least
}

// beneath returns the boxes under or close to which a curve runs. Of the boxes at its ends it
// returns those that the curve crosses.
func beneath(way []point, nodes []*node, from, to *node) (boxes []*node) {
	const near = 4
	for _, n := range nodes {
		room := float64(near)
		if n == from || n == to {
			room = -near
		}
		if slices.ContainsFunc(way, func(p point) bool {
			return math.Abs(p.x-n.x) < n.w/2+room && math.Abs(p.y-n.y) < n.h/2+room
		}) {
			boxes = append(boxes, n)
		}
	}
	return boxes
}

// spreadPorts sets the ports of each link. The links at one side of a node are sorted by their
// destination, so that they do not cross there.
func spreadPorts(all []*route) {
	type end struct {
		other *node
		port  *port
	}
	type key struct {
		n *node
		s side
	}
	ends := map[key][]end{}
	for _, r := range all {
		ends[key{r.from, r.start}] = append(ends[key{r.from, r.start}], end{r.to, &r.a})
		ends[key{r.to, r.end}] = append(ends[key{r.to, r.end}], end{r.from, &r.b})
	}
	for k, list := range ends {
		room := k.n.h
		across := k.s == up || k.s == down
		if across {
			room = k.n.w
		}
		slices.SortStableFunc(list, func(a, b end) int {
			if across {
				return cmp.Compare(a.other.x, b.other.x)
			}
			return cmp.Compare(a.other.y, b.other.y)
		})
		step := min(18, 0.8*room/float64(len(list)))
		for i, e := range list {
			*e.port = portAt(k.n, k.s, step*(float64(i)-float64(len(list)-1)/2))
		}
	}
}
