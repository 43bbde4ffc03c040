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

// Cycles returns each set of stages that can all reach each other, in file
// order: the strongly connected components that hold a cycle.
func (s *Script) Cycles() [][]*Stage { return components(s.Stages, s.Edges()) }

// MainCycle returns the longest way round that passes no stage twice, as edges
// of which each begins where the one before ends; nil when the flow has no
// cycle. It begins at the stage that stands first in the file. The search is
// bounded: in a flow with very many cycles it returns the longest one seen.
func (s *Script) MainCycle() []Edge {
	w := &walker{next: byFrom(s.Edges()), rank: map[*Stage]int{}, budget: 100_000}
	for i, stage := range s.Stages {
		w.rank[stage] = i
	}
	for _, group := range s.Cycles() {
		for _, start := range group {
			w.walk(start, start)
		}
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
	rank   map[*Stage]int
	path   []Edge
	best   []Edge
	budget int
}

// walk goes on from at. Stages that rank before start are left out: cycles
// through them were seen from there.
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
		} else if !visited && w.rank[e.To] > w.rank[start] {
			w.walk(start, e.To)
		}
		w.path = w.path[:len(w.path)-1]
	}
}

// shortestCycle returns the shortest way round within a group of stages.
func shortestCycle(group []*Stage, edges []Edge) []Edge {
	next := byFrom(edges)
	var best []Edge
	for _, start := range group {
		if way := wayBack(start, next); way != nil && (best == nil || len(way) < len(best)) {
			best = way
		}
	}
	return best
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

// components returns the strongly connected components that hold a cycle, by
// Tarjan's algorithm, stages and components in the order of stages.
func components(stages []*Stage, edges []Edge) [][]*Stage {
	t := &tarjan{next: byFrom(edges), index: map[*Stage]int{}, low: map[*Stage]int{}, on: map[*Stage]bool{}}
	for _, s := range stages {
		if t.index[s] == 0 {
			t.visit(s)
		}
	}
	rank := map[*Stage]int{}
	for i, s := range stages {
		rank[s] = i
	}
	byRank := func(a, b *Stage) int { return rank[a] - rank[b] }
	for _, group := range t.groups {
		slices.SortFunc(group, byRank)
	}
	slices.SortFunc(t.groups, func(a, b []*Stage) int { return byRank(a[0], b[0]) })
	return t.groups
}

// tarjan holds the state of one search; indexes count from 1.
type tarjan struct {
	next       map[*Stage][]Edge
	index, low map[*Stage]int
	stack      []*Stage
	on         map[*Stage]bool // on the stack
	groups     [][]*Stage
}

func (t *tarjan) visit(s *Stage) {
	t.index[s] = len(t.index) + 1
	t.low[s] = t.index[s]
	t.stack, t.on[s] = append(t.stack, s), true
	loop := false
	for _, e := range t.next[s] {
		loop = loop || e.To == s
		if t.index[e.To] == 0 {
			t.visit(e.To)
			t.low[s] = min(t.low[s], t.low[e.To])
		} else if t.on[e.To] {
			t.low[s] = min(t.low[s], t.index[e.To])
		}
	}
	if t.low[s] < t.index[s] {
		return
	}
	cut := slices.Index(t.stack, s)
	group := slices.Clone(t.stack[cut:])
	t.stack = t.stack[:cut]
	for _, member := range group {
		t.on[member] = false
	}
	if loop || len(group) > 1 {
		t.groups = append(t.groups, group)
	}
}
