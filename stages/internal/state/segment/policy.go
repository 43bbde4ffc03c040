package segment

import "slices"

// The policy of merging. A new segment takes with it the newest ones, one after the other, as long as
// the next is not more than ratio times as large as all that it has by then. A new one under 32 KiB counts as so much:
// up to 96 KiB are written again by such a run, without thrift.
//
// So each segment that stays is more than three times as large as the one behind it: a state of n bytes has at most
// 2 + log3(n / 32 KiB) of them, and the oldest has most of the entries. A lookup costs as much in a small
// segment as in a large one, mostly, and the seen-set, the largest state, is asked for more keys than it has; what is
// written is written one behind the other. That is why few segments are worth an entry's being written again, nearly four times for each
// sixteenfold of the state. (Three segments for each fourfold of the state, the policy before, wrote half as
// much, and a lookup asked twice as many.)
const (
	ratio  = 3
	lowest = 32 << 10
)

// newest returns how many of the newest segments a new one of the given size replaces, all in bytes; sizes
// holds those of the set, oldest first.
func newest(sizes []int64, size int64) (k int) {
	size = max(size, lowest)
	for _, s := range slices.Backward(sizes) {
		if s > ratio*size {
			break
		}
		size += s
		k++
	}
	return k
}
