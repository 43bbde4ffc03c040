package main

import (
	"fmt"

	"multitext/examples/rigs/internal/draw"
	"multitext/examples/rigs/internal/results"
)

// gains compares the ways of a field with breadth, over all hunts.
func (l *lab) gains(c *results.Chapter, f *field) {
	t := &draw.Table{Name: "gains-" + f.file(), Title: "Beside breadth, " + f.name,
		Note: fmt.Sprintf("Over %d hunts: mean recall at each point, its ratio to that of breadth, and in how many "+
			"hunts it is greater, and less, than that of breadth at %d %%.", len(f.hunts), l.Points[1]),
		Columns: []string{"way"}}
	for _, what := range []string{"recall", "× breadth"} {
		for _, point := range l.Points {
			t.Columns = append(t.Columns, fmt.Sprintf("%s at %d %%", what, point))
		}
	}
	t.Columns = append(t.Columns, "greater", "less")
	for _, w := range everyWay() {
		recalls, times := []string{w.name}, []string(nil)
		for _, point := range l.Points {
			of, breadth := f.mean(w.name, point), f.mean("breadth", point)
			recalls, times = append(recalls, draw.Number(of, 1)), append(times, draw.Number(of/breadth, 2))
		}
		greater, less := f.beside(w.name, "breadth", l.Points[1])
		t.Add(append(append(recalls, times...), fmt.Sprint(greater), fmt.Sprint(less))...)
	}
	c.Table(t)
}

// mean is the mean recall of a way over the hunts, at a point.
func (f *field) mean(way string, point int) (sum float64) {
	for _, h := range f.hunts {
		sum += h.curve(f.whole(way))[point] / float64(len(f.hunts))
	}
	return sum
}

// beside is in how many hunts the recall of a way at a point is greater than that of another, and less.
func (f *field) beside(way, other string, point int) (greater, less int) {
	for _, h := range f.hunts {
		a, b := h.curve(f.whole(way))[point], h.curve(f.whole(other))[point]
		if a > b {
			greater++
		}
		if a < b {
			less++
		}
	}
	return greater, less
}
