package ordered

import (
	"cmp"
	"slices"
)

// Entries is entries to write, in whatever order.
type Entries struct {
	all    []entry
	values [][]byte // in the order in which they were added
	size   int64
}

// An entry has no pointers, and so is sorted in half the time.
type entry struct {
	key Key
	at  int // of its value
}

// Grow makes room for n more.
func (e *Entries) Grow(n int) { e.all, e.values = slices.Grow(e.all, n), slices.Grow(e.values, n) }

// Add adds an entry. Of equal keys the last added wins. The value is kept, not copied.
func (e *Entries) Add(key Key, value []byte) {
	e.all, e.values = append(e.all, entry{key, len(e.values)}), append(e.values, value)
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
		return cmp.Compare(b.at, a.at)
	})
	e.all = slices.CompactFunc(e.all, func(a, b entry) bool { return a.key == b.key })
}

// with is the merge of the entries, which are sorted, and those of some segments.
func (e *Entries) with(old *Cursor) *Merged { return &Merged{e.all, e.values, old} }
