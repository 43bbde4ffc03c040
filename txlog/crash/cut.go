package crash

import (
	"maps"
	"math/rand/v2"
	"slices"
)

// State is one of the states that a cut may leave after the first k operations
// of the trace; the same for the same numbers drawn.
func (m *Model) State(k int, rnd *rand.Rand) Tree {
	// Mostly lost and mostly kept find what a fair coin seldom does: the one
	// thing that must not be missing, or there, without the others.
	keep := []float64{0, 0.1, 0.5, 0.9, 1}
	return m.tree(&cut{k, keep[rnd.IntN(len(keep))], rnd})
}

// Seen is what every process sees after the first k operations, and a kill
// leaves: nothing is lost.
func (m *Model) Seen(k int) Tree { return m.tree(&cut{k, 1, rand.New(rand.NewPCG(0, 0))}) }

func (m *Model) tree(c *cut) Tree {
	t := Tree{}
	c.fill(t, "", m.root, c.entries(m.steps))
	return t
}

// A cut decides what is left of what was not durable.
type cut struct {
	k    int
	keep float64 // how likely it is to be there
	rnd  *rand.Rand
}

func (c *cut) kept() bool { return c.rnd.Float64() < c.keep }

// entries are those of each directory after the cut.
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

// content is what is left of a file.
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

// torn is what is left of bytes that were not synced and begin at an offset of
// their file.
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
