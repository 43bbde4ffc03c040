package segment

import (
	"math/bits"
	"slices"
)

// The policy of tiers. Sizes are in bytes; a tier is a power of four, and all segments under
// 32 KiB are of the lowest. A new segment takes with it the newest ones, as far back as none is
// of a higher tier than it, when these are three or more; the result is looked at again in
// the same way.
//
// So at most three segments of a tier pile up: a state of n bytes has at most
// 3·(1 + log4(n / 32 KiB)) of them. An entry rises a tier with nearly every rewriting: it is
// written about log4(n / size of a batch) times more. What lies under 32 KiB is written
// again without thrift.
const (
	fan      = 4
	lowest   = 32 << 10
	bitsTier = 2 // log2 of fan
)

func tier(size int64) int { return bits.Len64(uint64(max(size, lowest))) / bitsTier }

// newest returns how many of the newest segments a new one of the given size replaces; sizes
// holds those of the set, oldest first.
func newest(sizes []int64, size int64) int {
	k := 0
	for {
		run, sum := 0, size
		for _, s := range slices.Backward(sizes[:len(sizes)-k]) {
			if tier(s) > tier(size) {
				break
			}
			run++
			sum += s
		}
		if run < fan-1 {
			return k
		}
		k += run
		size = sum
	}
}
