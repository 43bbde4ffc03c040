package segment

import (
	"cmp"
	"slices"
)

// Entries is entries to look up or to write. Values is nil for a state of keys alone, else as
// long as Keys.
type Entries struct {
	Keys   []uint64
	Values [][]byte
}

// Add appends an entry with a value.
func (b *Entries) Add(key uint64, value []byte) {
	b.Keys = append(b.Keys, key)
	b.Values = append(b.Values, value)
}

// value returns value i, nil in a state of keys alone.
func (b *Entries) value(i int) []byte {
	if b.Values == nil {
		return nil
	}
	return b.Values[i]
}

// from returns the entries from i on.
func (b *Entries) from(i int) Entries {
	if b.Values == nil {
		return Entries{Keys: b.Keys[i:]}
	}
	return Entries{b.Keys[i:], b.Values[i:]}
}

// Sort brings the keys into ascending order, each once: of equal ones the last added stays.
func (b *Entries) Sort() {
	if b.Values == nil {
		slices.Sort(b.Keys)
		b.Keys = slices.Compact(b.Keys)
		return
	}
	type entry struct {
		key   uint64
		value []byte
	}
	all := make([]entry, len(b.Keys))
	for i, k := range b.Keys {
		all[i] = entry{k, b.Values[i]}
	}
	slices.SortStableFunc(all, func(x, y entry) int { return cmp.Compare(x.key, y.key) })
	b.Keys, b.Values = b.Keys[:0], b.Values[:0]
	for i, e := range all {
		if i+1 < len(all) && all[i+1].key == e.key {
			continue
		}
		b.Add(e.key, e.value)
	}
}

// size estimates the bytes of b's segment.
func (b *Entries) size() int64 {
	n := int64(8 * len(b.Keys))
	for _, v := range b.Values {
		n += 4 + int64(len(v))
	}
	return n
}
