package webgraph

import (
	"fmt"
	"slices"
)

// manyLinks is the number of them from which on a page is given no more.
const manyLinks = 10_000

// link adds the links to those that their pages have.
func (p *portion) link() error {
	slices.Sort(p.links)
	p.links = slices.Compact(p.links)
	walk := p.set.Cursor()
	var all []uint32
	for len(p.links) > 0 {
		page := uint32(p.links[0] >> 32)
		n := 1
		for n < len(p.links) && uint32(p.links[n]>>32) == page {
			n++
		}
		key := keyOf(ofLinks, uint64(page))
		if err := walk.Seek(key); err != nil {
			return err
		}
		at, value, ok, err := walk.Next()
		if err != nil {
			return err
		}
		all = all[:0]
		if ok && at == key {
			if all, err = unpackLinks(value, all); err != nil {
				return fmt.Errorf("graph of pages: links of page %d: %w", page, err)
			}
		}
		if had := len(all); had < manyLinks {
			for _, link := range p.links[:n] {
				all = append(all, uint32(link))
			}
			slices.Sort(all)
			if all = slices.Compact(all); len(all) > had {
				p.whole.links += uint64(len(all) - had)
				p.fresh.Add(key, packLinks(nil, all))
			}
		}
		p.links = p.links[n:]
	}
	return nil
}
