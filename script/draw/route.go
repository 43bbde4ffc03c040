package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A point is one of the picture.
type point struct{ x, y float64 }

// A port is a point of a node's side at which a link ends.
type port struct {
	point
	dx, dy float64 // out of the node
}

// A route is the curve of a link.
type route struct {
	*link
	main       bool // part of the main cycle
	start, end side // of from and to
	a, b       port
	pull       [2]float64 // how far the curve goes on at its ends as it begins there, by the room between them
}

// routes chooses the sides at which links end, and spreads the links that end at one side along it.
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
	return all
}

// face ends a link at the sides of its nodes that face each other. In rows, one above the other,
// that is top and bottom: left and right the boxes of a row have their neighbours. Where the main
// cycle leads from row to row it leaves the row sideways.
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
	case r.main && math.Abs(a.x-b.x) > (a.w+b.w)/2 && a.kind == stageNode:
		r.start, r.end = across, opposite(along)
	case r.main && math.Abs(a.x-b.x) > (a.w+b.w)/2:
		r.start, r.end = along, opposite(across)
	default:
		r.start, r.end = along, opposite(along)
	}
}

// opposite is the other side of a node.
func opposite(s side) side { return s ^ 1 }

// avoid lets a link that would run under boxes end at the sides where it runs under the fewest, and
// of these where it is shortest.
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

// aim ends a link in the middle of its sides, and returns the cost of that.
func (r *route) aim(nodes []*node) float64 {
	r.a, r.b = portAt(r.from, r.start, 0), portAt(r.to, r.end, 0)
	return r.bow(nodes)
}

// underBox is the cost of a box that a link runs under. That of a pixel is 1.
const underBox = 1e6

// bow bends a link so that it runs under the fewest boxes, and returns its cost.
func (r *route) bow(nodes []*node) float64 {
	pulls := []float64{0.55, 0.35, 0.8, 1, 1.15}
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

// beneath are the boxes that a way runs under or close to, those at its ends among them where it
// crosses one.
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

// spreadPorts gives each link its ports. The links at one side of a node are
// in the order of where they lead, so that they do not cross there.
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

// portAt returns the point of a side, off the middle of it by so much.
func portAt(n *node, s side, off float64) port {
	switch s {
	case up:
		return port{point{n.x + off, n.y - n.h/2}, 0, -1}
	case down:
		return port{point{n.x + off, n.y + n.h/2}, 0, 1}
	case left:
		return port{point{n.x - n.w/2, n.y + off}, -1, 0}
	}
	return port{point{n.x + n.w/2, n.y + off}, 1, 0}
}

// controls are the four points of the curve, which leaves and arrives at right angles. It bends within
// the room between its ends, so that it swings into no row of boxes; where it turns back it swings
// out a little.
func (r *route) controls() [4]point {
	a, b := r.a, r.b
	reach := func(p port, pull float64) point {
		room, across := math.Abs(b.x-a.x), math.Abs(b.y-a.y)
		if p.dy != 0 {
			room, across = across, room
		}
		far := max(10, pull*room)
		if a.dx == b.dx && a.dy == b.dy {
			far += 14 + 0.06*across
		}
		return point{p.x + p.dx*far, p.y + p.dy*far}
	}
	return [4]point{a.point, reach(a, r.pull[0]), reach(b, r.pull[1]), b.point}
}

// way are points of the curve, from its beginning to its end.
func (r *route) way() (way []point) {
	const steps = 40
	c := r.controls()
	for i := range steps + 1 {
		t := float64(i) / steps
		u := 1 - t
		mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
		way = append(way, point{mix(c[0].x, c[1].x, c[2].x, c[3].x), mix(c[0].y, c[1].y, c[2].y, c[3].y)})
	}
	return way
}

// path returns the curve as SVG path data.
func (r *route) path() string {
	c := r.controls()
	return fmt.Sprintf("M%s C%s %s %s", xy(c[0]), xy(c[1]), xy(c[2]), xy(c[3]))
}

// xy prints a point to a tenth of a pixel.
func xy(p point) string { return num(p.x) + "," + num(p.y) }

// num prints a length to a tenth of a pixel. Minus zero is zero.
func num(v float64) string {
	v = math.Round(v*10)/10 + 0
	return fmt.Sprintf("%g", v)
}
