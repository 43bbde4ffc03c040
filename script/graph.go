package script

import "slices"

// An Edge leads from a stage that writes a queue to a stage that reads it. A
// queue with two writers and three readers makes six edges.
type Edge struct {
	From, To *Stage
	Queue    *Queue
}

// edges returns the edges of the flow, by queue, then writer, then reader, each in file order.
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

// MainCycle returns the longest way round that passes no stage twice, as edges of which each begins
// where the one before ends; nil when the flow has no cycle. It begins at the stage that stands
// first in the file. The search is bounded: in a flow with very many cycles it returns the longest
// one seen.
func (s *Script) MainCycle() (longest []Edge) {
	next := byFrom(s.edges())
	var path []Edge
	budget := 0 // steps that are left from this start
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

// byFrom sorts edges by the stage they leave.
func byFrom(edges []Edge) map[*Stage][]Edge {
	next := map[*Stage][]Edge{}
	for _, e := range edges {
		next[e.From] = append(next[e.From], e)
	}
	return next
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
