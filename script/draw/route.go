package draw

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// A port is a point of a node's side at which a link ends.
type port struct {
	x, y   float64
	dx, dy float64 // out of the node
}

// A route is a link with its two ports. A bend is a quarter turn; anything
// else is a curve, which is straight where the ports are opposite.
type route struct {
	*link
	start, end side // of from and to
	a, b       port
	bend       bool
	pull       float64 // how far a curve goes on as it begins, by the room between its ends
}

// routes chooses the sides at which links end, and spreads the links that end
// at one side along it.
func routes(f *flow, ring []*node) []*route {
	var all []*route
	for _, l := range f.links {
		r := &route{link: l, pull: straight}
		r.start, r.end = facing(l)
		if i := slices.Index(ring, l.from); i >= 0 && len(ring) > 2 && ring[(i+1)%len(ring)] == l.to && l.state == "" {
			r.turn(i, len(ring))
		}
		r.avoid(f.nodes)
		all = append(all, r)
	}
	spreadPorts(all)
	for _, r := range all {
		ends := func(*route) (port, port) { return r.a, r.b }
		if !r.bend && len(r.via) == 0 && r.cost(f.nodes, ends).under > 0 {
			r.bow(f.nodes, ends)
		}
	}
	return all
}

// turn makes the four links that lead from one row of the ring to the other
// bend around its corners.
func (r *route) turn(i, n int) {
	stages := n / 2
	top := (stages + 1) / 2
	switch i {
	case 2*top - 2:
		r.start, r.end, r.bend = right, up, true
	case 2*top - 1:
		r.start, r.end, r.bend = down, right, true
	case n - 2:
		r.start, r.end, r.bend = left, down, true
	case n - 1:
		r.start, r.end, r.bend = up, left, true
	}
}

// facing returns the sides of a link's nodes that face each other. In rows, one
// above the other, that is top and bottom wherever there is room between them:
// left and right the boxes of a row have their neighbours.
func facing(l *link) (side, side) {
	a, b := l.from, l.to
	above := math.Abs(a.y-b.y) > (a.h+b.h)/2
	switch {
	case (l.across || !above) && a.x < b.x:
		return right, left
	case l.across || !above:
		return left, right
	case a.y < b.y:
		return down, up
	}
	return up, down
}

// spreadPorts gives each link its ports. The links at one side of a node are
// in the order of where they lead, so that they do not cross there.
func spreadPorts(all []*route) {
	type end struct {
		other *node // the next point of the way
		port  *port
	}
	type key struct {
		n *node
		s side
	}
	ends := map[key][]end{}
	for _, r := range all {
		after, before := r.to, r.from
		if n := len(r.via); n > 0 {
			after, before = r.via[0], r.via[n-1]
		}
		ends[key{r.from, r.start}] = append(ends[key{r.from, r.start}], end{after, &r.a})
		ends[key{r.to, r.end}] = append(ends[key{r.to, r.end}], end{before, &r.b})
	}
	for k, list := range ends {
		across := k.s == up || k.s == down
		slices.SortStableFunc(list, func(a, b end) int {
			if across {
				return cmp.Compare(a.other.x, b.other.x)
			}
			return cmp.Compare(a.other.y, b.other.y)
		})
		for i, e := range list {
			room := k.n.h
			if across {
				room = k.n.w
			}
			step := min(18, 0.8*room/float64(len(list)))
			*e.port = portAt(k.n, k.s, step*(float64(i)-float64(len(list)-1)/2))
		}
	}
}

// portAt returns the point of a side, off the middle of it by so much.
func portAt(n *node, s side, off float64) port {
	switch s {
	case up:
		return port{n.x + off, n.y - n.h/2, 0, -1}
	case down:
		return port{n.x + off, n.y + n.h/2, 0, 1}
	case left:
		return port{n.x - n.w/2, n.y + off, -1, 0}
	}
	return port{n.x + n.w/2, n.y + off, 1, 0}
}

// path returns the route as SVG path data.
func (r *route) path() string {
	if r.bend {
		return bend(r.a, r.b)
	}
	data, at := "M"+xy(r.a.x, r.a.y), r.a
	for _, p := range r.via {
		data += curve(at, port{p.x, p.y, -1, 0}, r.pull)
		at = port{p.x, p.y, 1, 0}
	}
	return data + curve(at, r.b, r.pull)
}

// curve leads from a to b as SVG path data.
func curve(a, b port, pull float64) string {
	c := controls(a, b, pull)
	return fmt.Sprintf(" C%s %s %s", xy(c[1].x, c[1].y), xy(c[2].x, c[2].y), xy(c[3].x, c[3].y))
}

// bend leads from a to b around one corner.
func bend(a, b port) string {
	const radius = 22
	cx, cy := b.x, a.y // the corner, when the way begins sideways
	if a.dy != 0 {
		cx, cy = a.x, b.y
	}
	return fmt.Sprintf("M%s L%s Q%s %s L%s", xy(a.x, a.y),
		xy(cx+toward(a.x-cx, radius), cy+toward(a.y-cy, radius)), xy(cx, cy),
		xy(cx+toward(b.x-cx, radius), cy+toward(b.y-cy, radius)), xy(b.x, b.y))
}

// middle returns a point near the middle of the way.
func (r *route) middle() (x, y float64) {
	if n := len(r.via); n > 0 {
		return r.via[n/2].x, r.via[n/2].y
	}
	return (r.a.x + r.b.x) / 2, (r.a.y + r.b.y) / 2
}

// toward is d cut to at most most.
func toward(d, most float64) float64 { return max(-most, min(most, d)) }

// xy prints a point to a tenth of a pixel.
func xy(x, y float64) string { return num(x) + "," + num(y) }

// num prints a length to a tenth of a pixel. Minus zero is zero.
func num(v float64) string {
	v = math.Round(v*10)/10 + 0
	return fmt.Sprintf("%g", v)
}
