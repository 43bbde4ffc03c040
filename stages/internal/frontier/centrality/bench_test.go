package centrality

import (
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

var (
	benchPages  = flag.Int("pages", 100_000, "pages of the benchmarks' graph, of ten links each")
	benchMemory = flag.Int64("memory", 256<<20, "bytes of memory for BenchmarkFiles")
)

const benchPasses = 10

// drawn calls do with the links of each page of a graph that is the same each time. A page has 0 to
// 20 links. Targets follow a power law, and those of many links lie all over the numbers. The links
// are as Add would make them, so that both programs have the same.
func drawn(pages int, do func(page uint32, links []uint32)) {
	links := make([]uint32, 0, 20)
	for page := range uint64(pages) {
		r := rand.New(rand.NewPCG(7, page))
		links = links[:0]
		for range r.IntN(21) {
			x := r.Float64()
			at := uint64(float64(pages) * x * x * x) // the density at y is as y to the power of -2/3
			links = append(links, uint32(at*2654435761%uint64(pages)))
		}
		slices.Sort(links)
		links = slices.Compact(links)
		if i, found := slices.BinarySearch(links, uint32(page)); found {
			links = slices.Delete(links, i, i+1)
		}
		do(uint32(page), links)
	}
}

// BenchmarkFiles measures the passes of a Graph in ns of CPU time a link, and tells what it took.
//
//	go test -run '^$' -bench Files -benchtime 1x -pages 10000000 ./stages/internal/frontier/centrality
func BenchmarkFiles(b *testing.B) {
	for b.Loop() {
		g, err := New(uint64(*benchPages), *benchMemory)
		if err != nil {
			b.Fatal(err)
		}
		n := 0
		begin := cpu(b)
		drawn(*benchPages, func(page uint32, links []uint32) {
			n += len(links)
			if err := g.Add(page, links); err != nil {
				b.Fatal(err)
			}
		})
		built := cpu(b)
		o, err := g.Rank(0, benchPasses)
		if err != nil {
			b.Fatal(err)
		}
		told(b, n, built-begin, cpu(b)-built, o.Sum)
		disk := 2 * (g.pages/inFrame + 1) * frameSize
		for _, f := range g.blocks {
			disk += uint64(f.n) * frameSize
		}
		b.ReportMetric(float64(disk)/1e6, "MB-disk")
		b.ReportMetric(float64(len(g.blocks)), "blocks")
		g.Close()
	}
}

// BenchmarkMemory is a plain program with all links and ranks in memory. Push goes through the links
// by the pages that they are on, pull by those that they lead to.
func BenchmarkMemory(b *testing.B) {
	b.Run("push", func(b *testing.B) { benchPlain(b, push) })
	b.Run("pull", func(b *testing.B) { benchPlain(b, pull) })
}

// plain are the links of page i: to[end[i-1]:end[i]].
type plain struct{ end, to []uint32 }

func benchPlain(b *testing.B, rank func(p plain) (sum float64)) {
	for b.Loop() {
		var p plain
		begin := cpu(b)
		drawn(*benchPages, func(_ uint32, links []uint32) {
			p.to = append(p.to, links...)
			p.end = append(p.end, uint32(len(p.to)))
		})
		built := cpu(b)
		if b.Name() == "BenchmarkMemory/pull" {
			p = p.turned()
			built = cpu(b)
		}
		sum := rank(p)
		told(b, len(p.to), built-begin, cpu(b)-built, sum)
	}
}

// turned are the links by the pages that they lead to.
func (p plain) turned() plain {
	t := plain{make([]uint32, len(p.end)), make([]uint32, len(p.to))}
	at := make([]uint32, len(p.end)+1)
	for _, to := range p.to {
		at[to+1]++
	}
	for i := range p.end {
		at[i+1] += at[i]
	}
	copy(t.end, at[1:])
	begin := uint32(0)
	for page, end := range p.end {
		for _, to := range p.to[begin:end] {
			t.to[at[to]] = uint32(page)
			at[to]++
		}
		begin = end
	}
	return t
}

func push(p plain) (sum float64) {
	ranks, next := make([]float64, len(p.end)), make([]float64, len(p.end))
	for i := range ranks {
		ranks[i] = 1 - Damping
	}
	for range benchPasses {
		for i := range next {
			next[i] = 1 - Damping
		}
		begin := uint32(0)
		for page, end := range p.end {
			part := Damping * ranks[page] / float64(end-begin)
			for _, to := range p.to[begin:end] {
				next[to] += part
			}
			begin = end
		}
		ranks, next = next, ranks
	}
	for _, r := range ranks {
		sum += r
	}
	return sum
}

// pull has links that are turned.
func pull(p plain) (sum float64) {
	c, parts := make([]uint32, len(p.end)), make([]float32, len(p.end))
	for _, from := range p.to {
		c[from]++
	}
	for i := range parts {
		parts[i] = (1 - Damping) * Damping / float32(c[i])
	}
	next := make([]float32, len(p.end))
	for range benchPasses {
		sum = 0
		begin := uint32(0)
		for page, end := range p.end {
			rank := 1 - Damping
			for _, from := range p.to[begin:end] {
				rank += float64(parts[from])
			}
			begin = end
			sum += rank
			next[page] = float32(rank * Damping / float64(c[page]))
		}
		parts, next = next, parts
	}
	return sum
}

// told reports what one round of a benchmark took.
func told(b *testing.B, links int, build, passes time.Duration, sum float64) {
	b.ReportMetric(float64(build.Nanoseconds())/float64(links), "ns-build/link")
	b.ReportMetric(float64(passes.Nanoseconds())/float64(links)/benchPasses, "ns-pass/link")
	b.ReportMetric(passes.Seconds()/benchPasses, "s/pass")
	b.ReportMetric(float64(links)/1e6, "Mlinks")
	b.ReportMetric(sum, "sum")
	status, _ := os.ReadFile("/proc/self/status")
	if peak := regexp.MustCompile(`VmHWM:\s*([0-9]+) kB`).FindSubmatch(status); peak != nil {
		kb, _ := strconv.Atoi(string(peak[1]))
		b.ReportMetric(float64(kb)/1e3, "MB-peak") // of the process: run one benchmark alone
	}
}

// cpu is the CPU time of this process.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
