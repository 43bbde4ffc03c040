package draw

import "slices"

// columns places nodes in columns, each right of all that leads to it. A link
// over several columns gets a point in each, so that it has room of its own
// and passes no box. Links to nodes that are not among nodes do not count. It
// returns the nodes with those points.
func columns(nodes []*node, links []*link) []*node {
	own := slices.DeleteFunc(slices.Clone(links), func(l *link) bool {
		return !slices.Contains(nodes, l.from) || !slices.Contains(nodes, l.to)
	})
	t := &table{rank: ranks(nodes, own), near: map[*node][]*node{}}
	for _, n := range nodes {
		t.add(n, t.rank[n])
	}
	for _, l := range own {
		t.lay(l)
	}
	x := 0.0
	for _, column := range t.columns {
		wide := 0.0
		for _, n := range column {
			wide = max(wide, n.w)
		}
		for _, n := range column {
			n.x = x + wide/2
		}
		x += wide + gapX + 10
	}
	for range 8 { // each pass pulls nodes nearer to what they are linked to
		for _, column := range t.columns {
			t.align(column)
		}
		for _, column := range slices.Backward(t.columns) {
			t.align(column)
		}
	}
	return slices.Concat(t.columns...)
}

// A table is nodes in columns.
type table struct {
	columns [][]*node
	rank    map[*node]int
	near    map[*node][]*node // in the columns beside
}

func (t *table) add(n *node, rank int) {
	for len(t.columns) <= rank {
		t.columns = append(t.columns, nil)
	}
	t.columns[rank] = append(t.columns[rank], n)
}

// lay ties the two ends of a link, by points in the columns between them.
func (t *table) lay(l *link) {
	l.across = t.rank[l.from] != t.rank[l.to]
	last := l.from
	tie := func(n *node) {
		t.near[last], t.near[n] = append(t.near[last], n), append(t.near[n], last)
		last = n
	}
	for rank := t.rank[l.from] + 1; rank < t.rank[l.to]; rank++ {
		point := &node{h: 4}
		t.add(point, rank)
		l.via = append(l.via, point)
		tie(point)
	}
	tie(l.to)
}

// align moves the nodes of a column to the height of their neighbours.
func (t *table) align(column []*node) {
	var places []place
	for _, n := range column {
		places = append(places, onY(n, mean(t.near[n], atY, n.y)))
	}
	spread(places)
}

// ranks returns the column of each node: one more than the highest that leads
// to it. A link that would close a cycle is left out; links of states come
// last, so that they are the ones. Seeds stand beside what they feed.
func ranks(nodes []*node, links []*link) map[*node]int {
	next := map[*node][]*node{}
	for _, states := range []bool{false, true} {
		for _, l := range links {
			if (l.state != "") == states && !reaches(l.to, l.from, next) {
				next[l.from] = append(next[l.from], l.to)
			}
		}
	}
	rank := map[*node]int{}
	for range nodes {
		for _, n := range nodes {
			for _, to := range next[n] {
				rank[to] = max(rank[to], rank[n]+1)
			}
		}
	}
	for _, n := range nodes {
		if n.kind == seedNode && len(next[n]) > 0 {
			rank[n] = rank[next[n][0]] - 1
		}
	}
	return rank
}

// reaches reports whether some way leads from one node to another.
func reaches(from, to *node, next map[*node][]*node) bool {
	seen := map[*node]bool{from: true}
	for queue := []*node{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == to {
			return true
		}
		for _, n := range next[queue[0]] {
			if !seen[n] {
				seen[n] = true
				queue = append(queue, n)
			}
		}
	}
	return false
}
