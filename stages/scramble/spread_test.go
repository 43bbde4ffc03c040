package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// hostsOf numbers the records of hosts of the given sizes.
func hostsOf(sizes ...int) (hosts [][]int32, host []int) {
	n := int32(0)
	for h, size := range sizes {
		var records []int32
		for range size {
			records = append(records, n)
			host = append(host, h)
			n++
		}
		hosts = append(hosts, records)
	}
	return hosts, host
}

// leastGaps returns for each of n hosts the least distance between two of its records.
func leastGaps(order []int32, host []int, n int) []int {
	least, last := make([]int, n), make([]int, n)
	for h := range n {
		least[h], last[h] = math.MaxInt, math.MinInt/2
	}
	for at, rec := range order {
		h := host[rec]
		least[h] = min(least[h], at-last[h])
		last[h] = at
	}
	return least
}

func distributions() map[string][]int {
	rnd := rand.New(rand.NewPCG(1, 1))
	var zipf, even, random []int
	for i := range 300 {
		zipf = append(zipf, 1+2000/(i+1))
		even = append(even, 50)
		random = append(random, 1+rnd.IntN(200))
	}
	return map[string][]int{
		"zipf": zipf, "even": even, "random": random,
		"two":        {6, 3, 3},
		"three":      {10, 10, 10},
		"one host":   {20},
		"half":       {300, 43, 43, 43, 43, 43, 43, 42},
		"one giant":  {1000, 1, 1, 1},
		"singletons": {1, 1, 1, 1, 1},
		"none":       nil,
	}
}

func TestSpread(t *testing.T) {
	for name, sizes := range distributions() {
		for seed := range uint64(20) {
			hosts, host := hostsOf(sizes...)
			order := spread(hosts, rand.New(rand.NewPCG(seed, 0)))
			checkOrder(t, name, order, host, len(sizes))
			checkGaps(t, fmt.Sprint(name, " seed ", seed), order, host, sizes)
		}
	}
}

// checkOrder: every record is there once, those of a host in their order.
func checkOrder(t *testing.T, name string, order []int32, host []int, n int) {
	t.Helper()
	last := make([]int32, n)
	for _, rec := range order {
		h := host[rec]
		if last[h] > rec {
			t.Fatalf("%s: record %d of host %d behind %d", name, rec, h, last[h])
		}
		last[h] = rec
	}
	sorted := slices.Sorted(slices.Values(order))
	for i, rec := range sorted {
		if int(rec) != i || len(sorted) != len(host) {
			t.Fatalf("%s: records were lost or doubled", name)
		}
	}
}

// checkGaps holds the least distances against the even ones, (all records)/(records of the host).
func checkGaps(t *testing.T, name string, order []int32, host, sizes []int) {
	t.Helper()
	least := leastGaps(order, host, len(sizes))
	sum, n := 0.0, 0
	for h, size := range sizes {
		if size < 2 {
			continue
		}
		ratio := float64(least[h]) / (float64(len(order)) / float64(size))
		if size*2 <= len(order) && ratio < 0.7 {
			t.Errorf("%s: two of a host's %d records are %d apart", name, size, least[h])
		}
		sum += ratio
		n++
	}
	if n > 0 && sum/float64(n) < 0.75 {
		t.Errorf("%s: least distances are %.2f of the even ones on average", name, sum/float64(n))
	}
}

func TestSpreadIsRepeatable(t *testing.T) {
	sizes := distributions()["random"]
	order := func(seed uint64) []int32 {
		hosts, _ := hostsOf(sizes...)
		return spread(hosts, rand.New(rand.NewPCG(seed, 0)))
	}
	if !slices.Equal(order(7), order(7)) {
		t.Error("one seed gave two orders")
	}
	if slices.Equal(order(7), order(8)) {
		t.Error("two seeds gave one order")
	}
}

func BenchmarkSpread(b *testing.B) {
	rnd := rand.New(rand.NewPCG(2, 2))
	var sizes []int
	for range 10_000 {
		sizes = append(sizes, 1+rnd.IntN(100))
	}
	for b.Loop() {
		hosts, _ := hostsOf(sizes...)
		spread(hosts, rnd)
	}
}
