package ordered

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"multitext/stages/internal/run/output"
	"multitext/stages/internal/testkit/stagetest"
)

// hosts is how many there are in the benchmarks.
const hosts = 1_000_000

// host returns the hash of a random host.
func host(rnd *rand.Rand) uint64 { return (rnd.Uint64N(hosts) * 0x9e3779b97f4a7c15) >> 1 }

// segments are three as a state has them, of n entries, a quarter and a sixteenth of that.
func segments(b *testing.B, n int) (all []*reader) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{n, n / 4, n / 16} {
		e := &Entries{}
		for range n {
			e.Add(Key{host(rnd), rnd.Uint64N(2) * (1<<56 | rnd.Uint64N(1000))}, make([]byte, 60))
		}
		all = append(all, open(b, file(b, encode(b, e, nil))))
	}
	return all
}

// BenchmarkGet looks up random rows of hosts, most of which are there, in the order of their keys
// and in none.
func BenchmarkGet(b *testing.B) {
	set := &Set{segments: segments(b, 1<<20)}
	rnd := rand.New(rand.NewPCG(3, 4))
	var keys []Key
	for range 5000 {
		keys = append(keys, Key{host(rnd), 0})
	}
	get := func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, _, err := set.Get(keys[i%len(keys)]); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.Run("random", get)
	slices.SortFunc(keys, Key.Compare)
	b.Run("ascending", get)
}

// BenchmarkSeek goes forward to rows that are so many entries apart, and reads each.
func BenchmarkSeek(b *testing.B) {
	readers := segments(b, 1<<20)
	for _, apart := range []uint64{1, 30, 1000} {
		b.Run(fmt.Sprint(apart), func(b *testing.B) {
			c := newCursor(readers, false)
			to, step := uint64(0), uint64(1<<63)/(1<<20*21/16)*apart
			for b.Loop() {
				if to += step; to >= 1<<63 {
					to = 0
				}
				if err := c.Seek(Key{to, 0}); err != nil {
					b.Fatal(err)
				}
				if _, _, _, err := c.Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMerge merges three segments.
func BenchmarkMerge(b *testing.B) {
	readers := segments(b, 1<<18)
	var entries uint64
	for b.Loop() {
		w, err := create(output.NewRun(io.Discard), output.Stdout, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := merge(&Merged{old: newCursor(readers, true)}, unedited{}, w.add); err != nil {
			b.Fatal(err)
		}
		if err := w.close(nil); err != nil {
			b.Fatal(err)
		}
		entries += w.total
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(entries), "ns/entry")
}

// BenchmarkRuns is 500 runs of a frontier, with each ratio of the policy: a run looks up 5,000
// rows, of which 4,000 are new, and appends them and 15,000 other entries.
func BenchmarkRuns(b *testing.B) {
	for _, ratio := range []int64{1, 2, 3, 4} {
		b.Run(fmt.Sprint("ratio", ratio), func(b *testing.B) {
			for b.Loop() {
				frontier(b, ratio)
			}
		})
	}
}

// frontier is the runs of BenchmarkRuns with a ratio.
func frontier(b *testing.B, ratio int64) {
	rnd := rand.New(rand.NewPCG(5, 6))
	s := newState(b)
	s.ratio = ratio
	var asking, appending time.Duration
	var added, written int64
	segments := 0
	const runs, gets, entries = 500, 5000, 20_000
	for n := range runs {
		set, e := s.open(b), &Entries{}
		segments += len(set.segments)
		keys := make([]Key, gets)
		for i := range keys {
			keys[i] = Key{host(rnd), 0}
		}
		slices.SortFunc(keys, Key.Compare)
		from := stagetest.Processor()
		for i, key := range keys {
			if _, _, err := set.Get(key); err != nil {
				b.Fatal(err)
			}
			if i%5 > 0 {
				e.Add(key, make([]byte, 60))
			}
		}
		asking += stagetest.Processor() - from
		for e.Len() < entries {
			e.Add(Key{host(rnd), 1<<56 | uint64(n)}, make([]byte, 60))
		}
		added += e.size
		from = stagetest.Processor()
		written += s.append(b, set, e, nil)
		appending += stagetest.Processor() - from
		set.Close()
	}
	b.ReportMetric(float64(written)/float64(added), "written/added")
	b.ReportMetric(float64(segments)/runs, "segments")
	b.ReportMetric(float64(asking.Nanoseconds())/runs/gets, "ns/Get")
	b.ReportMetric(float64(appending.Nanoseconds())/runs/entries, "ns/entry")
	b.ReportMetric(float64((asking+appending).Milliseconds())/runs, "ms/run")
}
