package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"multitext/stages/internal/stage"
	"multitext/stages/internal/stagetest"
)

// sixteen is a collaboration of that many nodes, each of which holds batches for each other.
type sixteen struct {
	testing.TB
	transport
	dir   string
	names []string
}

const (
	crewSize    = 16
	perPair     = 4       // batches that each holds for each
	sizeOfBatch = 1 << 20 // bytes, about
)

func newSixteen(b testing.TB, over transport) *sixteen {
	s := &sixteen{TB: b, transport: over, dir: b.TempDir()}
	text := "nodes = 1\nurl = \"" + strings.ReplaceAll(over.url, "DIR", s.dir) + "\"\n"
	for i := range crewSize {
		s.names = append(s.names, fmt.Sprintf("node%02d", i))
		text += fmt.Sprintf("[[node]]\nname = %q\n", s.names[i])
	}
	if err := os.WriteFile(s.path("nodes.toml"), []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	return s
}

func (s *sixteen) path(name string) string { return filepath.Join(s.dir, name) }

// fill lets every node hold batches for every other, by put; each has pages of its own.
func (s *sixteen) fill(put func(from, to, name string, content []byte) error) (bytes int64) {
	s.Helper()
	for i, from := range s.names {
		content := prosePages(s, uint64(i))
		for _, to := range s.names {
			for n := range perPair {
				if from == to {
					continue
				}
				name := fmt.Sprintf("%016x-%012d-00001.warc.gz", xxhash.Sum64(content), n+1)
				if err := put(from, to, name, content); err != nil {
					s.Fatal(err)
				}
				bytes += int64(len(content))
			}
		}
	}
	return bytes
}

// prosePages is a page batch of some sizeOfBatch bytes: pages of 10 KB, of words as frequent as a language's.
func prosePages(t testing.TB, seed uint64) []byte {
	rnd := rand.New(rand.NewPCG(seed, 0))
	frequency := rand.NewZipf(rnd, 1.1, 3, 20_000)
	pages := map[string]string{}
	for i := range sizeOfBatch / 4000 { // they compress to less than half
		var text strings.Builder
		for text.Len() < 10_000 {
			fmt.Fprintf(&text, "%x ", frequency.Uint64()*2654435761%(1<<28))
		}
		pages[fmt.Sprintf("http://node%02d.test/%d", seed, i)] = text.String()
	}
	return pageBatchOf(t, pages)
}

// round lets all nodes pull at the same time, as the manager of each would, and wants so many batches
// brought and removed in all.
func (s *sixteen) round(number, brought, removed int) {
	s.Helper()
	var all sync.WaitGroup
	results := make([]stagetest.Result, len(s.names))
	for i, name := range s.names {
		args := []string{"-nodes", s.path("nodes.toml"), "-node", name, "-most", "1TB", "-ledger", s.path(fmt.Sprint(name, "-list")),
			"-new", s.path(fmt.Sprint(name, "-", number)), "-pages", s.path(fmt.Sprint(name, "-", number, ".warc.gz"))}
		all.Go(func() {
			tool := pullVerb()
			results[i] = stagetest.Run(s, tool.Tool, tool.Setup, "", append(args, strings.Fields(s.args)...)...)
		})
	}
	all.Wait()
	for i, name := range s.names {
		r := results[i]
		if r.Code != stage.ExitDone {
			s.Fatalf("%s: exit %d: %s", name, r.Code, r.Stderr)
		}
		for what, n := range map[string]int{"batches": brought, "removed": removed} {
			if has := r.Has(fmt.Sprint("count ", what, " ", n)); has != (n > 0) {
				s.Fatalf("%s: want %s %d:\n%s", name, what, n, r.Report)
			}
		}
		if brought > 0 {
			os.WriteFile(s.path(name+"-list"), []byte(s.path(fmt.Sprint(name, "-", number))+"\n"), 0o666)
		}
	}
}

// benchRound measures a round in which each of sixteen nodes brings four batches of a megabyte from each other
// one, the round that removes them there, and one that finds nothing.
func benchRound(b *testing.B, over transport, put func(s *sixteen, from, to, name string, content []byte) error) {
	const each = (crewSize - 1) * perPair
	var full, removing, empty float64
	for range b.N {
		b.StopTimer()
		s := newSixteen(b, over)
		bytes := s.fill(func(from, to, name string, content []byte) error { return put(s, from, to, name, content) })
		b.SetBytes(bytes)
		b.StartTimer()
		full += seconds(func() { s.round(1, each, 0) })
		b.StopTimer()
		removing += seconds(func() { s.round(2, 0, each) })
		empty += seconds(func() { s.round(3, 0, 0) })
		b.StartTimer()
	}
	b.ReportMetric(full/float64(b.N), "s/full")
	b.ReportMetric(removing/float64(b.N), "s/removing")
	b.ReportMetric(empty/float64(b.N), "s/empty")
}

func seconds(do func()) float64 {
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}

func BenchmarkRoundOverFolders(b *testing.B) {
	benchRound(b, folders(), func(s *sixteen, from, to, name string, content []byte) error {
		dir := filepath.Join(s.dir, from, "outgoing", to)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), content, 0o666)
	})
}
