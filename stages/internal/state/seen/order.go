package seen

import (
	"cmp"
	"math/bits"
	"slices"
)

// placed is a key and its place among those that are judged.
type placed struct {
	key   uint64
	place int32
}

// orderer sorts keys, and keeps its memory from one call to the next.
type orderer struct {
	keys []placed
	ends []int32 // of each bucket
}

// sort returns the keys in ascending order, equal ones in that of their places; valid until the
// next call.
//
// Keys are hashes, so their first bits spread them evenly over as many buckets as there are keys:
// when each is dealt to its bucket hardly anything is left to sort. Should they be none, or be
// chosen by somebody who wants a bucket to be full, such a bucket is sorted as anything else is.
func (o *orderer) sort(keys []uint64) []placed {
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
	o.keys = slices.Grow(o.keys[:0], len(keys))[:len(keys)]
	for i, key := range keys {
		at := &o.ends[key>>shift]
		o.keys[*at] = placed{key, int32(i)}
		*at++
	}
	start := int32(0)
	for _, end := range o.ends {
		if end-start > 1 {
			sortBucket(o.keys[start:end])
		}
		start = end
	}
	return o.keys
}

// sortBucket sorts keys, and equal ones by place.
func sortBucket(b []placed) {
	slices.SortFunc(b, func(x, y placed) int {
		if x.key != y.key { // cmp.Or would compare both, and take half as long again
			return cmp.Compare(x.key, y.key)
		}
		return cmp.Compare(x.place, y.place)
	})
}
