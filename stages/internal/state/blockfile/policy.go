package blockfile

import "slices"

// Lowest is the bytes that a smaller new file counts as.
const Lowest = 32 << 10

// Newest is the policy of merging: it returns how many of the newest files of a state a new one of
// size bytes replaces. They are replaced one after the other, as long as the next is not more than
// ratio times as large as all that it has by then. sizes holds the bytes of the state's files,
// oldest first.
//
// So each file that stays is more than ratio times as large as the one behind it: a state of n
// bytes has at most 2 + log(n / 32 KiB) / log(ratio) of them, and the oldest has most of the
// entries. A new one under 32 KiB may write up to ratio · 32 KiB again.
func Newest(sizes []int64, size, ratio int64) (k int) {
	size = max(size, Lowest)
	for _, s := range slices.Backward(sizes) {
		if s > ratio*size {
			break
		}
		size += s
		k++
	}
	return k
}
