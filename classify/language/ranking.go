package language

// A ranking sorts n-grams by their counts, in linear time. It contains the buffers of the sort.
type ranking struct {
	starts []int32 // for each count, the position in sorted where its n-grams begin
	sorted []uint32
}

// order returns the most frequent n-grams of found, the most frequent one first, as many as a
// profile has. Equally frequent ones keep their order. The result is valid until the next call.
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
	// Now starts[c] is the number of n-grams with a count above c. Those of count c begin there.
	for _, place := range found {
		c := counts[place]
		r.sorted[r.starts[c]] = place
		r.starts[c]++
	}
	return r.sorted[:min(len(r.sorted), profileLength)]
}

// sized returns s with length n. It allocates if s is too small.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
