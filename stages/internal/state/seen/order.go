package seen

import (
	"cmp"
	"math/bits"
	"slices"
)

// entry is a key and its place among those that are judged.
type entry struct {
	key   uint64
	place int32
}

// orderer sorts keys, and keeps its memory from one call to the next.
type orderer struct {
	entries []entry
	ends    []int32 // of each bucket
}

// sort returns the keys in ascending order, equal ones in that of their places; valid until the
// next call.
//
// Keys are hashes, so their first bits spread them evenly over as many buckets as there are keys:
// when each is dealt to its bucket hardly anything is left to sort. Should they be none, or be
// chosen by somebody who wants a bucket to be full, such a bucket is sorted as anything else is.
func (o *orderer) sort(keys []uint64) []entry {
	logarithm := max(1, bits.Len(uint(len(keys)))-1)
	shift := 64 - logarithm
	o.ends = append(o.ends[:0], make([]int32, 1<<logarithm)...)
	for _, key := range keys {
		o.ends[key>>shift]++
	}
	end := int32(0)
	for b, n := range o.ends { // first each bucket's start; dealing moves it to the end
		o.ends[b] = end
		end += n
	}
	o.entries = slices.Grow(o.entries[:0], len(keys))[:len(keys)]
	for i, key := range keys {
		at := &o.ends[key>>shift]
		o.entries[*at] = entry{key, int32(i)}
		*at++
	}
	start := int32(0)
	for _, end := range o.ends {
		if end-start > 1 {
			sortBucket(o.entries[start:end])
		}
		start = end
	}
	return o.entries
}

// sortBucket sorts entries by key, and equal ones by place.
func sortBucket(b []entry) {
	slices.SortFunc(b, func(x, y entry) int {
		if x.key != y.key { // cmp.Or would compare both, and take half as long again
			return cmp.Compare(x.key, y.key)
		}
		return cmp.Compare(x.place, y.place)
	})
}
