package polite

import (
	"container/heap"
	"time"
)

// A spot is where something stands in a line: behind all whose turn comes earlier.
type spot struct {
	turn   time.Time
	serial int // among equal turns the lower goes first
	index  int // in the line, absent if in none
}

const absent = -1

func (s *spot) at() *spot { return s }

func (s *spot) before(t *spot) bool {
	if c := s.turn.Compare(t.turn); c != 0 {
		return c < 0
	}
	return s.serial < t.serial
}

// A line holds what waits for its turn; the first is at 0, the others are in no order that
// matters (it is a heap).
type line[W interface{ at() *spot }] []W

func (l *line[W]) enter(w W) { heap.Push(l, w) }
func (l *line[W]) leave(w W) { heap.Remove(l, w.at().index) }

// The methods of heap.Interface.

func (l line[W]) Len() int { return len(l) }

func (l line[W]) Less(i, j int) bool { return l[i].at().before(l[j].at()) }

func (l line[W]) Swap(i, j int) {
	l[i], l[j] = l[j], l[i]
	l[i].at().index, l[j].at().index = i, j
}

func (l *line[W]) Push(x any) {
	w := x.(W)
	w.at().index = len(*l)
	*l = append(*l, w)
}

func (l *line[W]) Pop() any {
	old := *l
	w := old[len(old)-1]
	var none W
	old[len(old)-1] = none
	*l = old[:len(old)-1]
	w.at().index = absent
	return w
}
