package nodes

import "slices"

// While a crawl goes on, nodes can join and leave:
//
//	[[node]]
//	name   = "west"
//	leaves = true
//
//	[[node]]
//	name   = "east"
//	joined = true
//
// Each URL has two nodes, one of Remembering and one of Fetching. While no node has joined or
// leaves, both are the same. Package filter (stages/filter) says how a URL comes from the one to
// the other, and why none is lost.
//
// A node that joins is appended to the file. Then a hash moves to it with probability 1/N, where N
// is the new number of nodes that fetch, and nothing else moves. Only the last nodes may leave, for
// the same reason: only their part moves, and each of the others gets its share of it. The file is
// checked for both. So no node can join while one that remembers leaves.
//
// A node that had joined and leaves can be removed from the file when nothing waits in it or for
// it. One that remembers cannot. Its manager goes on, with little to do; it can move to another
// machine with its folder.

// Remembering returns the set of the nodes that did not join. The filter of such a node alone
// decides whether a URL of its part is new. The parts never change while the crawl goes on, so no
// URL is new twice. So the key hosts of these nodes must not change either, in a partition by place.
func (s *Set) Remembering() *Set {
	return s.first(func(n *Node) bool { return n.Joined })
}

// Fetching returns the set of the nodes that do not leave. Each URL is fetched by the node in whose
// part it is when its turn comes. Hashes of pages, too, choose one of these nodes; labels, as those of
// topics, choose any.
func (s *Set) Fetching() *Set {
	return s.first(func(n *Node) bool { return n.Leaves })
}

// first returns the set of the nodes before the first one that is out.
func (s *Set) first(out func(*Node) bool) *Set {
	part := *s
	if i := slices.IndexFunc(s.nodes, out); i >= 0 {
		part.nodes = s.nodes[:i]
	}
	return &part
}

// changed reports nodes that join or leave at a place in the file where that would move more URLs
// than theirs.
func (c *checker) changed(s *Set) {
	for i, n := range s.nodes {
		line := c.places.node(i)
		switch {
		case i == 0 && n.Joined:
			c.fail(line, "the node %q is the first and has joined: one node at least must be there at the start",
				n.Name)
		case i == 0 && n.Leaves:
			c.fail(line, "the node %q is the first and leaves: one node at least must stay", n.Name)
		case i > 0 && s.nodes[i-1].Joined && !n.Joined:
			c.fail(line, "the node %q has not joined but is behind one that has: append nodes that join", n.Name)
		case i > 0 && s.nodes[i-1].Leaves && !n.Leaves:
			c.fail(line, "the node %q stays but is behind one that leaves: only the last nodes can leave", n.Name)
		}
	}
}
