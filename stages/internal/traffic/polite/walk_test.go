package polite

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"
	"time"
)

// A search sees the requests in the order in which Next would take them, and changes nothing.
func TestSearchLooksInTheOrderOfNext(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		s := New[int](Limits{Start: start(), Deadline: at(60)})
		hosts := 1 + r.IntN(200)
		for i := range hosts {
			s.Add(fmt.Sprint("h", i), numbered(i), time.Duration(1+r.IntN(9))*time.Second, i)
		}
		depth := 1 + r.IntN(hosts)
		var looked []int
		if request, _ := s.Search(at(30), depth, func(i int) bool {
			looked = append(looked,
				i)
			return false
		}); request != nil {
			t.Fatal("nothing fits, and something was taken")
		}
		var taken []int
		for range depth {
			request, _ := s.Next(at(30))
			taken = append(taken, request.Item)
		}
		if !slices.Equal(looked, taken) {
			t.Fatalf("seed %d: looked at %v, Next took %v", seed, looked, taken)
		}
	}
}

func numbered(i int) netip.Addr {
	return netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
}

// BenchmarkSearch is a search in vain, among 10,000 hosts that could be asked.
func BenchmarkSearch(b *testing.B) {
	for _, depth := range []int{1, 100, 1000} {
		b.Run(fmt.Sprint("depth ", depth), func(b *testing.B) {
			s := New[int](Limits{Start: start(), Deadline: at(60)})
			for i := range 10_000 {
				s.Add(fmt.Sprint("h", i), numbered(i), time.Duration(i*7919%10_000), i)
			}
			b.ReportAllocs()
			for b.Loop() {
				s.Search(at(30), depth, func(int) bool { return false })
			}
		})
	}
}
