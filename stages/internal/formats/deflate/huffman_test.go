package deflate

import (
	"container/heap"
	"math/rand/v2"
	"testing"
)

// TestLengths: a code is complete, within its limit, and no longer than Huffman's where the limit
// leaves it alone.
func TestLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var b builder
	for round := range 2000 {
		freq := make([]uint32, 2+r.IntN(numLit-2))
		switch round % 4 {
		case 0: // as it comes
			for s := range freq {
				freq[s] = r.Uint32N(400)
			}
		case 1: // few, of all sizes
			for range r.IntN(20) {
				freq[r.IntN(len(freq))] = 1 << r.IntN(15)
			}
		case 2: // the steepest
			for s, x, y := 0, uint32(1), uint32(1); s < min(len(freq), 22); s, x, y = s+1, y, x+y {
				freq[s] = x
			}
		case 3: // all alike
			for s := range freq {
				freq[s] = 7
			}
		}
		for _, limit := range []int{maxCode, 31} {
			n := make([]uint8, len(freq))
			b.lengths(n, freq, limit)
			kraft, bits := uint64(0), 0
			for s, l := range n {
				if int(l) > limit || l == 0 && freq[s] != 0 {
					t.Fatalf("round %d: symbol %d of frequency %d has %d bits, at most %d wanted", round, s, freq[s], l,
						limit)
				}
				if l != 0 {
					kraft += 1 << (32 - l)
				}
				bits += int(l) * int(freq[s])
			}
			if kraft != 1<<32 {
				t.Fatalf("round %d, limit %d: code is not complete: %v", round, limit, n)
			}
			switch best := huffman(freq); {
			case best == 0: // one symbol or none
			case limit == 31 && bits != best, bits > best+best/20+2*len(freq):
				t.Fatalf("round %d, limit %d: %d bits, Huffman %d", round, limit, bits, best)
			}
		}
	}
}

// huffman gives the bits of the best code for frequencies, 0 where there are fewer than two.
func huffman(freq []uint32) (bits int) {
	var h sums
	for _, f := range freq {
		if f != 0 {
			h = append(h, int(f))
		}
	}
	heap.Init(&h)
	for len(h) > 1 {
		sum := heap.Pop(&h).(int) + heap.Pop(&h).(int)
		bits += sum
		heap.Push(&h, sum)
	}
	return bits
}

type sums []int

func (h sums) Len() int           { return len(h) }
func (h sums) Less(i, j int) bool { return h[i] < h[j] }
func (h sums) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *sums) Push(x any)        { *h = append(*h, x.(int)) }
func (h *sums) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}
