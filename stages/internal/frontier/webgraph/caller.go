package webgraph

import (
	"encoding/binary"
	"math"

	"multitext/stages/internal/frontier/centrality"
)

// A caller takes the new ranks of all pages, ascending, keeps them, and calls those that have
// risen.
type caller struct {
	*State
	risen         func(url []byte, score float32) error
	links, before *walk

	ranks []byte    // of the pages from first on, as their entry has them
	old   []float32 // of the same pages, of the last time
	first uint64
	held  int // entries that are not in a file
	names names
}

// page takes the rank of the next page.
func (c *caller) page(page uint32, rank float32) error {
	if page%inRanks == 0 {
		if err := c.keep(); err != nil {
			return err
		}
		c.first = uint64(page)
		var err error
		if c.old, err = ranksFrom(c.before, c.first, c.old[:0]); err != nil {
			return err
		}
	}
	c.ranks = binary.LittleEndian.AppendUint32(c.ranks, math.Float32bits(rank))
	was := float32(0)
	if at := int(page % inRanks); at < len(c.old) {
		was = centrality.Score(c.old[at])
	}
	score := centrality.Score(rank)
	if score <= was {
		return nil
	}
	if fetched, err := c.links.to(uint64(page)); err != nil || fetched && c.links.of == uint64(page) {
		return err
	}
	url, err := c.names.of(uint64(page))
	if err != nil {
		return err
	}
	return c.risen(url, score)
}

// keep makes an entry of the ranks.
func (c *caller) keep() error {
	if len(c.ranks) == 0 {
		return nil
	}
	c.fresh.Add(keyOf(ofRanks, c.first), c.ranks)
	c.ranks = make([]byte, 0, 4*inRanks)
	if c.held++; c.held < c.most {
		return nil
	}
	c.held = 0
	return c.settle()
}
