package script

import (
	"slices"
)

// An Edge leads from a stage that writes a queue to a stage that reads it. A
// queue with two writers and three readers makes six edges.
type Edge struct {
	From, To *Stage
	Queue    *Queue
}

// Edges returns the edges of the flow, by queue, then writer, then reader, each
// in file order.
func (s *Script) Edges() []Edge {
	var edges []Edge
	for _, q := range s.Queues {
		for _, from := range q.Writers {
			for _, to := range q.Readers {
				edges = append(edges, Edge{from, to, q})
			}
		}
	}
	return edges
}

// MainCycle returns the longest way round that passes no stage twice, as edges
// of which each begins where the one before ends; nil when the flow has no
// cycle. It begins at the stage that stands first in the file. The search is
// bounded: in a flow with very many cycles it returns the longest one seen.
func (s *Script) MainCycle() []Edge {
	w := &walker{next: byFrom(s.Edges())}
	for _, start := range s.Stages {
		w.budget = 10_000
		w.walk(start, start)
	}
	return w.best
}

// byFrom sorts edges by the stage they leave.
func byFrom(edges []Edge) map[*Stage][]Edge {
	next := map[*Stage][]Edge{}
	for _, e := range edges {
		next[e.From] = append(next[e.From], e)
	}
	return next
}

// A walker tries all ways from a stage back to it.
type walker struct {
	next   map[*Stage][]Edge
	path   []Edge
	best   []Edge
	budget int // steps that are left from this start
}

// walk goes on from at.
func (w *walker) walk(start, at *Stage) {
	for _, e := range w.next[at] {
		if w.budget--; w.budget < 0 {
			return
		}
		w.path = append(w.path, e)
		visited := slices.ContainsFunc(w.path, func(p Edge) bool { return p.From == e.To })
		if e.To == start {
			if len(w.path) > len(w.best) {
				w.best = slices.Clone(w.path)
			}
		} else if !visited {
			w.walk(start, e.To)
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// wayBack returns the shortest way from start to itself, nil when there is none.
func wayBack(start *Stage, next map[*Stage][]Edge) []Edge {
	reached := map[*Stage]Edge{} // by what edge each stage was first reached
	for queue := []*Stage{start}; len(queue) > 0; queue = queue[1:] {
		for _, e := range next[queue[0]] {
			if _, seen := reached[e.To]; seen {
				continue
			}
			reached[e.To] = e
			queue = append(queue, e.To)
		}
	}
	if _, ok := reached[start]; !ok {
		return nil
	}
	way := []Edge{reached[start]}
	for way[0].From != start {
		way = slices.Insert(way, 0, reached[way[0].From])
	}
	return way
}
