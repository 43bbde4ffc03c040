package draw

import (
	"fmt"
	"math"
)

// A point is a point of the picture.
type point struct{ x, y float64 }

// A port is the point of a node's side at which a link ends.
type port struct {
	point
	dx, dy float64 // the direction away from the node
}

// portAt returns the point of a side at a given distance from its middle.
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

// controls returns the four control points of the curve. The curve leaves and arrives at right
// angles. It bends only in the space between its ends, so that it does not swing into a row of
// boxes. If it turns back, it swings out a little, more with a larger pull.
func (r *route) controls() [4]point {
	a, b := r.a, r.b
	reach := func(p port, pull float64) point {
		room, across := math.Abs(b.x-a.x), math.Abs(b.y-a.y)
		if p.dy != 0 {
			room, across = across, room
		}
		far := max(10, pull*room)
		if a.dx == b.dx && a.dy == b.dy {
			far += 14 + 0.11*pull*across
		}
		return point{p.x + p.dx*far, p.y + p.dy*far}
	}
	return [4]point{a.point, reach(a, r.pull[0]), reach(b, r.pull[1]), b.point}
}

// way returns points of the curve, from its beginning to its end.
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

// xy formats a point with a precision of a tenth of a pixel.
func xy(p point) string { return num(p.x) + "," + num(p.y) }

// num formats a length with a precision of a tenth of a pixel. It formats minus zero as zero.
func num(v float64) string {
	v = math.Round(v*10)/10 + 0
	return fmt.Sprintf("%g", v)
}
