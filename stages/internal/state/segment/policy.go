package segment

import "slices"

// The policy of merging. A new segment replaces the newest ones, one after the other, as long as
// the next is not more than ratio times as large as all that it has by then. A new one under 32 KiB
// counts as so much: such a run may write up to 96 KiB again.
//
// So each segment that stays is more than three times as large as the one behind it: a state of n
// bytes has at most 2 + log3(n / 32 KiB) of them, and the oldest has most of the entries. A lookup
// mostly costs as much in a small segment as in a large one, and the seen-set, the largest state,
// is asked for more keys than it has. So it pays to write an entry again, some eight times until
// the state has a thousand batches, and nearly four times more for each sixteenfold of it. (Three
// segments for each fourfold of the state wrote half as much, and a lookup asked twice as many.)
const (
	ratio  = 3
	lowest = 32 << 10
)

// newest returns how many of the newest segments a new one of size bytes replaces; sizes holds the
// bytes of the segments of the set, oldest first.
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
