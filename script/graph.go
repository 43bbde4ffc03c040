package script

import "slices"

// An Edge leads from a stage that writes a queue to a stage that reads it. A queue with two writers
// and three readers has six edges.
type Edge struct {
	From, To *Stage
	Queue    *Queue
}

// edges returns the edges of the graph, sorted by queue, then writer, then reader, each in file
// order.
func (s *Script) edges() []Edge {
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

// MainCycle returns the longest cycle that visits no stage twice. It returns a list of edges, each
// of which begins where the previous one ends, or nil if the graph has no cycle. The cycle begins
// at the stage that is first in the file. The search is bounded: in a graph with very many cycles
// MainCycle returns the longest one that it has found.
func (s *Script) MainCycle() (longest []Edge) {
	next := byFrom(s.edges())
	var path []Edge
	budget := 0 // remaining steps from this start
	var walk func(start, at *Stage)
	walk = func(start, at *Stage) {
		for _, e := range next[at] {
			if budget--; budget < 0 {
				return
			}
			path = append(path, e)
			visited := slices.ContainsFunc(path, func(p Edge) bool { return p.From == e.To })
			if e.To == start && len(path) > len(longest) {
				longest = slices.Clone(path)
			} else if !visited {
				walk(start, e.To)
			}
			path = path[:len(path)-1]
		}
	}
	for _, start := range s.Stages {
		budget = 10_000
		walk(start, start)
	}
	return longest
}

// byFrom groups edges by their first stage.
func byFrom(edges []Edge) map[*Stage][]Edge {
	next := map[*Stage][]Edge{}
	for _, e := range edges {
		next[e.From] = append(next[e.From], e)
	}
	return next
}

// wayBack returns the shortest path from start to itself, or nil if there is none.
func wayBack(start *Stage, next map[*Stage][]Edge) []Edge {
	reached := map[*Stage]Edge{} // the edge by which each stage was first reached
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
