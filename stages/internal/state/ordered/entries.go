package ordered

import (
	"cmp"
	"slices"
)

// Entries is entries to write, in whatever order.
type Entries struct {
	all  []entry
	size int64
}

type entry struct {
	key   Key
	order int // in which it was added
	value []byte
}

// Add adds an entry. Of equal keys the last added wins. The value is kept, not copied.
func (e *Entries) Add(key Key, value []byte) {
	e.all = append(e.all, entry{key, len(e.all), value})
	e.size += keySize + 2 + int64(len(value))
}

// Len returns how many were added.
func (e *Entries) Len() int { return len(e.all) }

// sort brings the entries into the order of their keys, each key once.
func (e *Entries) sort() {
	slices.SortFunc(e.all, func(a, b entry) int {
		if c := a.key.Compare(b.key); c != 0 {
			return c
		}
		return cmp.Compare(b.order, a.order)
	})
	e.all = slices.CompactFunc(e.all, func(a, b entry) bool { return a.key == b.key })
}
