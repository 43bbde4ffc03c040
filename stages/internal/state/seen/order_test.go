package seen

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// keysOf returns n keys, of which every bit but those of mask is the same: with few bits, or those
// at the end, they are no hashes.
func keysOf(seed uint64, n int, mask uint64) []uint64 {
	rnd := rand.New(rand.NewPCG(seed, 0))
	keys := make([]uint64, n)
	for i := range keys {
		keys[i] = rnd.Uint64()&mask | seed&^mask
	}
	return keys
}

// FuzzSort holds the buckets to an ordinary sort.
func FuzzSort(f *testing.F) {
	f.Add(uint64(1), uint16(5000), ^uint64(0))
	f.Add(uint64(2), uint16(5000), uint64(0xffff)) // one bucket has all
	f.Add(uint64(3), uint16(300), uint64(0xf)<<60) // many equal ones
	f.Add(uint64(4), uint16(1), uint64(0))
	f.Add(uint64(5), uint16(0), uint64(0))
	var o orderer // as in a table, the memory is that of the call before
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, mask uint64) {
		keys := keysOf(seed, int(n)%10_000, mask)
		var want []placed
		for i, key := range keys {
			want = append(want, placed{key, int32(i)})
		}
		slices.SortStableFunc(want, func(a, b placed) int { return cmp.Compare(a.key, b.key) })
		if got := o.sort(keys); !slices.Equal(got, want) {
			t.Fatalf("%d keys of %x: not in order", len(keys), mask)
		}
	})
}

// FuzzMark holds mark to a map, with runs of any sizes.
func FuzzMark(f *testing.F) {
	f.Add(uint64(1), uint16(300), uint16(2000))
	f.Add(uint64(2), uint16(2000), uint16(3))
	f.Add(uint64(3), uint16(0), uint16(1))
	f.Fuzz(func(t *testing.T, seed uint64, n, asked uint16) {
		var m met
		has := map[uint64]bool{}
		for part := range uint64(5) {
			var fresh []uint64
			for _, key := range keysOf(seed+part, int(n)%5000, 0xfff) {
				if !has[key&0xfff] {
					has[key&0xfff] = true
					fresh = append(fresh, key&0xfff)
				}
			}
			slices.Sort(fresh)
			m.add(fresh)
		}
		keys := keysOf(seed+9, int(asked)%5000, 0xfff)
		for i := range keys {
			keys[i] &= 0xfff
		}
		slices.Sort(keys)
		found := make([]bool, len(keys))
		m.mark(keys, found)
		for i, key := range keys {
			if found[i] != has[key] {
				t.Fatalf("key %d: found %v, want %v", key, found[i], has[key])
			}
		}
	})
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			keys := keysOf(1, n, ^uint64(0))
			var o orderer
			b.SetBytes(int64(8 * n))
			for b.Loop() {
				o.sort(keys)
			}
		})
	}
}
