package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// recordsOf returns the hosts of records; shuffled if rnd is not nil.
func recordsOf(rnd *rand.Rand, sizes ...int) (records, host []int32, counts []int) {
	counts = make([]int, len(sizes))
	for h, size := range sizes {
		for range size {
			host = append(host, int32(h))
			counts[int32(h)]++
		}
	}
	if rnd != nil {
		rnd.Shuffle(len(host), func(i, j int) { host[i], host[j] = host[j], host[i] })
	}
	for i := range host {
		records = append(records, int32(i))
	}
	return records, host, counts
}

func TestPack(t *testing.T) {
	for _, c := range []struct {
		name          string
		sizes         []int
		urls, perHost int
		want          []int // sizes of the parts
	}{
		{"none too many", []int{1, 1, 1}, 5, 2, []int{3}},
		{"one over is halved", []int{1, 1, 1, 1, 1, 1}, 5, 2, []int{3, 3}},
		{"one host", []int{10}, 100, 3, []int{3, 3, 2, 2}},
		{"a host rules", []int{6, 1, 1}, 100, 2, []int{3, 3, 2}},
		{"no bound a host", []int{10, 1}, 6, 0, []int{6, 5}},
		{"no bound a part", []int{10, 1}, 0, 5, []int{6, 5}},
		{"no bound", []int{10, 1}, 0, 0, []int{11}},
		{"too many parts", []int{9, 6, 1}, 100, 1, []int{4, 4, 4, 4}},
		{"three hosts", []int{10, 10, 10}, 5000, 5, []int{15, 15}},
	} {
		records, host, counts := recordsOf(nil, c.sizes...)
		parts, _ := pack(records, host, counts, c.urls, c.perHost, 4)
		var got []int
		for _, part := range parts {
			got = append(got, len(part))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: parts of %v, want %v", c.name, got, c.want)
		}
	}
}

// TestPackManyHosts packs a full portion in which as many hosts are above their share as there are
// parts: what goes over the parts for each host is at it for minutes.
func TestPackManyHosts(t *testing.T) {
	const hosts = 64 << 10
	sizes := []int{2 * hosts}
	for range hosts {
		sizes = append(sizes, 2)
	}
	records, host, counts := recordsOf(nil, sizes...)
	parts, p := pack(records, host, counts, 5000, 1, math.MaxInt)
	if len(parts) != 2*hosts || p.size != 2 {
		t.Fatalf("%d parts of %d", len(parts), p.size)
	}
	for i, part := range parts {
		if len(part) != 2 || host[part[0]] != 0 || host[part[1]] == 0 {
			t.Fatalf("part %d holds %v", i, part)
		}
	}
}

// TestPackLaws packs many mixtures, in the order of hosts, against it and shuffled.
func TestPackLaws(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		var sizes []int
		for range 1 + rnd.IntN(30) {
			sizes = append(sizes, 1+rnd.IntN(1<<rnd.IntN(9)))
		}
		slices.Sort(sizes)
		if i%3 == 0 {
			slices.Reverse(sizes)
		}
		var shuffle *rand.Rand
		if i%3 == 2 {
			shuffle = rnd
		}
		urls, perHost := 1+rnd.IntN(400), 1+rnd.IntN(60)
		records, host, counts := recordsOf(shuffle, sizes...)
		parts, p := pack(records, host, counts, urls, perHost, math.MaxInt)
		if err := checkParts(parts, p, records, host, urls, perHost); err != nil {
			t.Fatalf("hosts of %v, -urls %d, -per-host %d: %v", sizes, urls, perHost, err)
		}
	}
}

func checkParts(parts [][]int32, p packing, records, host []int32, urls, perHost int) error {
	lastOf := map[int32]int32{}
	n := 0
	for at, part := range parts {
		count := map[int32]int{}
		for i, rec := range part {
			if i > 0 && part[i-1] >= rec {
				return fmt.Errorf("part %d: record %d behind %d", at, rec, part[i-1])
			}
			h := host[rec]
			if last, ok := lastOf[h]; ok && last >= rec {
				return fmt.Errorf("record %d of host %d stands in a part behind %d", rec, h, last)
			}
			lastOf[h] = rec
			if count[h]++; count[h] > perHost {
				return fmt.Errorf("part %d holds more than the share of host %d", at, h)
			}
		}
		n += len(part)
		if len(part) > urls || len(part) > p.size {
			return fmt.Errorf("part %d holds %d records", at, len(part))
		}
	}
	if n != len(records) || len(parts) != p.parts {
		return fmt.Errorf("%d records in %d parts, want %d in %d", n, len(parts), len(records), p.parts)
	}
	return nil
}
