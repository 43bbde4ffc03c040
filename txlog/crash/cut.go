package crash

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// State returns one of the states that a power failure may leave after the first k operations of
// the trace. The same random numbers yield the same state.
func (m *Model) State(k int, rnd *rand.Rand) Tree {
	// Some states lose almost everything, and some keep almost everything. They show defects in
	// which a single lost or kept change matters, which a fair coin seldom finds.
	keep := []float64{0, 0.1, 0.5, 0.9, 1}
	return m.tree(&cut{k, keep[rnd.IntN(len(keep))], rnd})
}

// Seen returns what every process sees after the first k operations. A kill leaves the same state,
// because it loses nothing.
func (m *Model) Seen(k int) Tree { return m.tree(&cut{k, 1, rand.New(rand.NewPCG(0, 0))}) }

func (m *Model) tree(c *cut) Tree {
	t := Tree{}
	c.fill(t, "", m.root, c.entries(m.steps))
	return t
}

// A cut decides what remains of the data that was not durable.
type cut struct {
	k    int
	keep float64 // the probability that it remains
	rnd  *rand.Rand
}

func (c *cut) kept() bool { return c.rnd.Float64() < c.keep }

// entries returns the entries of each directory after the cut.
func (c *cut) entries(steps []*step) map[*node]map[string]*node {
	all := map[*node]map[string]*node{}
	for _, s := range steps {
		if s.at >= c.k {
			break
		}
		full := s.node.dir && s.to.dir == nil && len(all[s.node]) > 0
		if s.durable >= c.k && (full || !c.kept()) {
			continue
		}
		if from := all[s.from.dir]; from[s.from.name] == s.node {
			delete(from, s.from.name)
		}
		if s.to.dir == nil {
			continue
		}
		if all[s.to.dir] == nil {
			all[s.to.dir] = map[string]*node{}
		}
		all[s.to.dir][s.to.name] = s.node
	}
	return all
}

func (c *cut) fill(t Tree, path string, dir *node, entries map[*node]map[string]*node) {
	for _, name := range slices.Sorted(maps.Keys(entries[dir])) {
		n := entries[dir][name]
		if n.dir {
			t[path+name+"/"] = nil
			c.fill(t, path+name+"/", n, entries)
		} else {
			t[path+name] = c.content(n)
		}
	}
}

// content returns what remains of a file.
func (c *cut) content(n *node) []byte {
	synced := -1
	for _, at := range n.syncs {
		if at < c.k {
			synced = at
		}
	}
	var durable, rest []byte
	for _, w := range n.writes {
		data := w.data
		if w.lost {
			data = make([]byte, len(data))
		}
		switch {
		case w.at >= c.k:
		case w.at < synced:
			durable = append(durable, data...)
		default:
			rest = append(rest, data...)
		}
	}
	return append(durable, c.torn(len(durable), rest)...)
}

const sector = 512

// torn returns what remains of bytes that were not synced and begin at an offset of their file.
func (c *cut) torn(offset int, rest []byte) []byte {
	if c.kept() || len(rest) == 0 {
		return rest
	}
	if c.keep == 0 {
		return nil
	}
	n := c.rnd.IntN(len(rest))
	switch c.rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		return rest[:n]
	case 2:
		clear(rest[n:])
		return rest
	}
	first := (offset + n) / sector * sector
	clear(rest[max(first-offset, 0):min(first+sector-offset, len(rest))])
	return rest
}
