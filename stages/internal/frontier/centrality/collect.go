package centrality

// collect calls do with each page, ascending, and the sum of the authorities that it links to. The
// authorities of one block are in memory; what pages have of the blocks before is in a file.
func (h *Hubs) collect(do func(page uint32, sum float64) error) error {
	for i := range h.g.blocks {
		if i == len(h.g.blocks)-1 {
			return h.with(i, do)
		}
		h.spare.restart()
		if err := h.with(i, func(_ uint32, sum float64) error { return h.spare.add(float32(sum)) }); err != nil {
			return err
		}
		if err := h.spare.flush(); err != nil {
			return err
		}
		h.partial, h.spare = h.spare, h.partial
	}
	return nil
}

// with calls do with each page, ascending, and its sum over the blocks up to block i.
func (h *Hubs) with(i int, do func(page uint32, sum float64) error) error {
	values, first := h.block(i)
	for j := range values {
		authority, err := h.authorities.at(first + uint32(j))
		if err != nil {
			return err
		}
		values[j] = float64(authority) * h.unitA
	}
	page := uint64(0)
	next := func(sum float64) error {
		if i > 0 {
			before, err := h.partial.at(uint32(page))
			if err != nil {
				return err
			}
			sum += float64(before)
		}
		page++
		return do(uint32(page-1), sum)
	}
	upTo := func(end uint64) error { // pages that link to none of the block
		for page < end {
			if err := next(0); err != nil {
				return err
			}
		}
		return nil
	}
	err := h.g.blocks[i].gather(values, &h.r, func(has uint32, sum float64) error {
		if err := upTo(uint64(has)); err != nil {
			return err
		}
		return next(sum)
	})
	if err != nil {
		return err
	}
	return upTo(h.g.pages)
}
