package seen

import "slices"

// met is the set of keys that became seen in this run: sorted slices, each more than twice as
// long as the next, so that adding to it costs little and looking up a few searches.
type met struct {
	slices [][]uint64
}

// mark sets found of each of keys, which ascend, that is in the set.
func (m *met) mark(keys []uint64, found []bool) {
	for _, sorted := range m.slices {
		for k, key := range keys {
			sorted = from(sorted, key)
			if len(sorted) == 0 {
				break
			}
			found[k] = found[k] || sorted[0] == key
		}
	}
}

// from returns the keys of sorted that are not below key. It gallops, for the first is near the
// beginning.
func from(sorted []uint64, key uint64) []uint64 {
	step := 1
	for step <= len(sorted) && sorted[step-1] < key {
		sorted = sorted[step:]
		step *= 2
	}
	at, _ := slices.BinarySearch(sorted[:min(step, len(sorted))], key)
	return sorted[at:]
}

// add adds keys, which ascend and are none of m's; it keeps the slice.
func (m *met) add(keys []uint64) {
	m.slices = append(m.slices, keys)
	for n := len(m.slices); n > 1 && len(m.slices[n-2]) <= 2*len(m.slices[n-1]); n-- {
		m.fold()
	}
}

// fold merges the last two slices.
func (m *met) fold() {
	n := len(m.slices)
	m.slices[n-2] = mergeSorted(m.slices[n-2], m.slices[n-1])
	m.slices = m.slices[:n-1]
}

// all returns every key in ascending order, and leaves m as one slice.
func (m *met) all() []uint64 {
	for len(m.slices) > 1 {
		m.fold()
	}
	if len(m.slices) == 0 {
		return nil
	}
	return m.slices[0]
}

func mergeSorted(a, b []uint64) []uint64 {
	out := make([]uint64, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] < b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}
