package language

// ranking puts n-grams in order by their counts, in linear time; it holds what the sort needs.
type ranking struct {
	starts []int32 // for each count, where its n-grams begin in sorted
	sorted []uint32
}

// order is the most frequent of found, the most frequent one first, as many as a profile has.
// Equally frequent ones keep their order. The result is valid until the next call.
func (r *ranking) order(found []uint32, counts []int32) []uint32 {
	most := int32(0)
	for _, place := range found {
		most = max(most, counts[place])
	}
	r.starts = sized(r.starts, int(most)+1)
	r.sorted = sized(r.sorted, len(found))
	clear(r.starts)
	for _, place := range found {
		if c := counts[place]; c > 1 {
			r.starts[c-1]++
		}
	}
	for c := most - 1; c > 0; c-- {
		r.starts[c-1] += r.starts[c]
	}
	// Now starts[c] is how many have counts above c, which is where those of count c begin.
	for _, place := range found {
		c := counts[place]
		r.sorted[r.starts[c]] = place
		r.starts[c]++
	}
	return r.sorted[:min(len(r.sorted), profileLength)]
}

// sized is s with length n, grown if it must be.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
