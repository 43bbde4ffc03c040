package draw

import "math"

// straight is the pull of a curve that has nothing to avoid.
const straight = 0.55

// avoid has a curve that would run under boxes end at other sides of its nodes, where
// it runs under fewer: of these the shortest.
func (r *route) avoid(nodes []*node) {
	ends := func(o *route) (port, port) { return portAt(o.from, o.start, 0), portAt(o.to, o.end, 0) }
	if r.bend || len(r.via) > 0 || r.cost(nodes, ends).under == 0 {
		return
	}
	best := *r
	for start := up; start <= right; start++ {
		for end := up; end <= right; end++ {
			other := *r
			other.start, other.end = start, end
			other.bow(nodes, ends)
			if other.cost(nodes, ends).less(best.cost(nodes, ends)) {
				best = other
			}
		}
	}
	*r = best
}

// bow gives a curve the pull with which it runs under the fewest boxes between the ends that it has.
func (r *route) bow(nodes []*node, ends func(*route) (port, port)) {
	best := *r
	for _, pull := range []float64{0.3, 0.4, 0.7, 0.8, 0.9, 1} {
		other := *r
		other.pull = pull
		if other.cost(nodes, ends).less(best.cost(nodes, ends)) {
			best = other
		}
	}
	r.pull = best.pull
}

// A cost is how many boxes a curve runs under, and how long it is.
type cost struct {
	under  int
	length float64
}

func (c cost) less(o cost) bool {
	return c.under < o.under || c.under == o.under && c.length < o.length-1
}

func (r *route) cost(nodes []*node, ends func(*route) (port, port)) (c cost) {
	a, b := ends(r)
	way := along(controls(a, b, r.pull))
	for i := range way[1:] {
		c.length += math.Hypot(way[i+1].x-way[i].x, way[i+1].y-way[i].y)
	}
	c.under = len(beneath(way, nodes, r.from, r.to))
	return c
}

// beneath are the boxes that a way runs under or close to, those at its ends among them
// where it crosses one.
func beneath(way []point, nodes []*node, from, to *node) (boxes []*node) {
	const near = 4
	for _, n := range nodes {
		room := float64(near)
		if n == from || n == to {
			room = -near
		}
		for _, p := range way {
			if math.Abs(p.x-n.x) < n.w/2+room && math.Abs(p.y-n.y) < n.h/2+room {
				boxes = append(boxes, n)
				break
			}
		}
	}
	return boxes
}

// A point is one of the picture.
type point struct{ x, y float64 }

// controls are the four points of the curve from a to b, which leaves and arrives at right
// angles. It bends within the room between them, so that it swings into no row of boxes;
// where it turns back it swings out a little.
func controls(a, b port, pull float64) [4]point {
	room, across := math.Abs(b.x-a.x), math.Abs(b.y-a.y)
	if a.dy != 0 {
		room, across = across, room
	}
	reach := max(10, pull*room)
	if a.dx == b.dx && a.dy == b.dy {
		reach += 14 + 0.06*across
	}
	return [4]point{{a.x, a.y}, {a.x + a.dx*reach, a.y + a.dy*reach}, {b.x + b.dx*reach, b.y + b.dy*reach}, {b.x, b.y}}
}

// along are points of a curve, from its beginning to its end.
func along(c [4]point) (way []point) {
	const steps = 40
	for i := range steps + 1 {
		t := float64(i) / steps
		u := 1 - t
		mix := func(a, b, c, d float64) float64 { return u*u*u*a + 3*u*u*t*b + 3*u*t*t*c + t*t*t*d }
		way = append(way, point{mix(c[0].x, c[1].x, c[2].x, c[3].x), mix(c[0].y, c[1].y, c[2].y, c[3].y)})
	}
	return way
}
