package main

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"multitext/stages/internal/formats/urlbatch"
	"multitext/stages/internal/run/keyed"
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/segment"
	"multitext/stages/internal/testkit/committed"
	"multitext/stages/internal/testkit/stagetest"
)

var (
	seenURLs = flag.String("seen", "1000000", "BenchmarkSeen: URLs that were seen before, "+
		"several numbers joined by commas; 6 to 8 bytes of disk for each, and as much again when all are merged")
	secret  = flag.Bool("secret", true, "BenchmarkSeen: keys are made with a secret, as in a crawl")
	newURLs = flag.Float64("fresh", 0.2, "BenchmarkSeen: the share of each batch that is new")
)

// batchURLs is the size of the batches.
const batchURLs = 100_000

// BenchmarkSeen runs the command itself, a process for each batch of 100,000 URLs, on a seen-set
// that grows by what is new, so that merges come due as in a crawl: go test ./stages/filter -run ^$
// -bench Seen -seen 100000000 -benchtime 100x. URLs/s are of a core, by CPU time: reading, writing
// and the process's start and syncs are in it.
func BenchmarkSeen(b *testing.B) {
	command := filepath.Join(b.TempDir(), "filter")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		b.Fatalf("build: %v: %s", err, out)
	}
	for _, size := range strings.Split(*seenURLs, ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("seen="+size, func(b *testing.B) { benchmarkSeen(b, command, n) })
	}
}

func benchmarkSeen(b *testing.B, command string, n int) {
	s := &growing{Segments: committed.Segments{Dir: b.TempDir()}, command: command, hash: makeSecret(b)}
	s.build(b, n)
	before, first := s.made, s.urls
	for b.Loop() {
		b.StopTimer()
		in := s.batch(b)
		b.StartTimer()
		s.run(b, in)
	}
	slices.Sort(s.cpu)
	perCore := func(cpu time.Duration) float64 { return batchURLs / cpu.Seconds() }
	b.ReportMetric(perCore(s.cpu[len(s.cpu)/2]), "URLs/s(median)")
	b.ReportMetric(perCore(s.cpu[len(s.cpu)-1]), "URLs/s(worst)")
	var sum time.Duration
	for _, cpu := range s.cpu {
		sum += cpu
	}
	b.ReportMetric(perCore(sum/time.Duration(len(s.cpu))), "URLs/s(mean)")
	b.ReportMetric(float64(s.anon)/1000, "MB-anon")
	b.ReportMetric(float64(s.Bytes(b))/float64(s.urls), "B/URL")
	b.ReportMetric(float64(s.made-before)/float64(max(1, s.urls-first)), "written-B/URL")
	b.ReportMetric(float64(len(s.Paths)), "segments")
}

// makeSecret makes a secret, which the commands find in the environment, unless they are to do
// without.
func makeSecret(b *testing.B) *keyed.Hash {
	if !*secret {
		return nil
	}
	b.Setenv(keyed.Variable, filepath.Join(b.TempDir(), "secret"))
	if err := os.WriteFile(os.Getenv(keyed.Variable), []byte("000102030405060708090a0b0c0d0e0f\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	hash, err := keyed.FromEnv()
	if err != nil {
		b.Fatal(err)
	}
	return hash
}

// growing is a seen-set and who plays its manager.
type growing struct {
	committed.Segments
	command string
	hash    *keyed.Hash
	urls    int   // seen
	made    int64 // bytes of all segments that were written
	cpu     []time.Duration
	anon    int64 // most anonymous memory of a run, kB
}

// build makes a state of n URLs by runs that become smaller, so that it has large segments and
// small ones.
func (s *growing) build(b *testing.B, n int) {
	for s.urls < n {
		keys := make([]uint64, min(n-s.urls, max(batchURLs/5, (n-s.urls)/64)))
		for i := range keys {
			keys[i] = s.hash.Sum(appendURL(nil, s.urls+i))
		}
		batch := segment.Entries{Keys: keys}
		batch.Sort()
		set, err := segment.OpenSet(s.List(b), s.hash)
		if err != nil {
			b.Fatal(err)
		}
		rep := report.New()
		if err := set.Append(output.NewRun(io.Discard), s.New(), batch, rep); err != nil {
			b.Fatal(err)
		}
		if err := set.Close(); err != nil {
			b.Fatal(err)
		}
		s.made += s.Commit(b, rep)
		s.urls += len(keys)
	}
}

func (s *growing) path(name string) string {
	return filepath.Join(s.Dir, fmt.Sprint(name, "-", s.Runs))
}

// batch writes a batch of pages with 20 links each: some are new, of the others two of three are of
// the page's own site, the rest any that were seen.
func (s *growing) batch(b *testing.B) string {
	path := s.path("in") + ".zst"
	w := urlbatch.NewWriter(output.NewRun(io.Discard), path, nil)
	rnd := rand.New(rand.NewPCG(1, uint64(s.Runs)))
	var rec urlbatch.Record
	var via string
	var site int
	for i := range batchURLs {
		if i%20 == 0 {
			page := rnd.IntN(s.urls)
			via, site = string(appendURL(nil, page)), page/siteURLs*siteURLs
		}
		u := rnd.IntN(s.urls)
		if rnd.Float64() < *newURLs {
			u = s.urls
			s.urls++
		} else if i%3 > 0 {
			u = min(site+i%siteURLs, s.urls-1)
		}
		rec.Reset(appendURL(nil, u))
		rec.SetInt(urlbatch.Depth, int64(1+i/20%7))
		rec.Set(urlbatch.Via, via)
		if err := w.Write(&rec); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// run runs the command on the batch in, commits and measures.
func (s *growing) run(b *testing.B, in string) {
	reported, fresh := s.path("report"), s.path("fresh")+".zst"
	cmd := exec.Command(s.command, "-seen", s.List(b), "-new", s.New(), "-fresh", fresh, "-report", reported, in)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	anon := stagetest.MostAnon(cmd.Process.Pid)
	err := cmd.Wait()
	s.anon = max(s.anon, anon())
	if err != nil {
		b.Fatal(err)
	}
	s.cpu = append(s.cpu, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	s.made += s.CommitFile(b, reported)
	os.Remove(reported)
	os.Remove(in)
	os.Remove(fresh)
}

var words = strings.Fields("about archive articles blog category contact download " +
	"events forum gallery help history images index library map news notes page people " +
	"photos press products research review search service shop story support tags team topics travel " +
	"video weather wiki")

// siteURLs is how many URLs a site has.
const siteURLs = 100

// appendURL appends URL i, as real ones look: 30 to 90 bytes.
func appendURL(b []byte, i int) []byte {
	site, page := uint64(i/siteURLs), uint64(i)*0x9e3779b97f4a7c15>>20
	word := func(x uint64) { b = append(b, words[x%uint64(len(words))]...) }
	b = append(b, "http://www."...)
	word(site * 0x9e3779b97f4a7c15 >> 20)
	b = strconv.AppendUint(b, site, 10)
	b = append(b, ".example/"...)
	for range page % 4 {
		word(page >> 3 % 8) // few folders
		b = append(b, '/')
	}
	word(page >> 10)
	b = append(b, '-')
	b = strconv.AppendUint(b, page%1000, 10)
	b = append(b, '-')
	b = strconv.AppendInt(b, int64(i%siteURLs), 10) // no two are equal
	return append(b, ".html"...)
}
