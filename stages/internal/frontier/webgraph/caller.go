package webgraph

import "multitext/stages/internal/frontier/centrality"

// A caller takes the new ranks of all pages, ascending, keeps them, and calls those that have
// risen.
type caller struct {
	column
	before *reading
	risen  func(url []byte, score float32) error
	links  *walk
	names  names
}

// page takes the rank of the next page.
func (c *caller) page(page uint32, rank float32) error {
	was, err := c.before.at(uint64(page))
	if err != nil {
		return err
	}
	if err := c.add(page, rank); err != nil {
		return err
	}
	score := centrality.Score(rank)
	if score <= centrality.Score(was) {
		return nil
	}
	if fetched, err := c.links.is(uint64(page)); err != nil || fetched {
		return err
	}
	url, err := c.names.of(uint64(page))
	if err != nil {
		return err
	}
	return c.risen(url, score)
}
