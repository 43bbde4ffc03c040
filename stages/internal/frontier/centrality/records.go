package centrality

// records are those of one frame. They are taken apart before the sums are touched: then the loop
// over targets, which misses the caches, is so short that the processor is ahead by many of them.
type records struct {
	frame          []byte
	pages, c, ends []uint32 // of each; the targets of record i are targets[ends[i-1]:ends[i]]
	targets        []uint32
}

// take takes apart a payload, which slack bytes follow. Targets are to be less than size. It reports
// whether all was right.
func (r *records) take(p []byte, size uint64) bool {
	r.pages, r.c, r.ends, r.targets = r.pages[:0], r.c[:0], r.ends[:0], r.targets[:0]
	page := uint32(0)
	for len(p) > slack {
		var g [groupOf]uint32
		p = p[group(p, &g):]
		page += g[0]
		c, n, target := g[1], int(g[2]), uint64(g[3])
		r.targets = append(r.targets, g[3])
		for n--; n > 0; n -= groupOf {
			if len(p) <= slack {
				return false
			}
			p = p[group(p, &g):]
			for _, more := range g[:min(n, groupOf)] {
				target += uint64(more)
				r.targets = append(r.targets, uint32(target))
			}
		}
		if target >= size {
			return false
		}
		r.pages, r.c, r.ends = append(r.pages, page), append(r.c, c), append(r.ends, uint32(len(r.targets)))
	}
	return len(p) == slack
}
