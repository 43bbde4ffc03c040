package examples

import (
	"flag"
	"testing"
	"time"
)

var soak = flag.Int("soak", 10, "kills of the whole tree that TestSoak makes, crawl after crawl")

// The tour in small batches is killed every 0.2 to 2 s until it is done, again
// and again: URL for URL and digest for digest the archive is that of a crawl
// which nobody disturbed.
func TestSoak(t *testing.T) {
	t.Parallel()
	b := smallBatches(t)
	b.run(0)
	want := readArchive(t, b.path("crawl/archive"))
	fired, crawls := 0, 0
	for fired < *soak {
		b := smallBatches(t)
		n := b.killed(1000+crawls, wholeTree, 200*time.Millisecond, 2*time.Second)
		if n == 0 {
			t.Fatal("a crawl was over before its first kill")
		}
		b.sameAs(want)
		b.settled()
		fired, crawls = fired+n, crawls+1
	}
	t.Logf("%d kills in %d crawls, each with the same %d answers and %d bodies", fired, crawls, len(want.answers),
		len(want.bodies))
}

// Where a batch (400 URLs of 20 hosts, 20 ms apart) takes longer than the time between two kills
// nothing gets done, and nothing is lost or doubled once the kills stop.
func TestSoakBelowABatch(t *testing.T) {
	t.Parallel()
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`)
	b.ownWeb("-hosts", "20", "-pages", "100")
	fired := b.killed(*soak, wholeTree, 100*time.Millisecond, 350*time.Millisecond)
	if fired < *soak {
		t.Errorf("only %d kills hit the crawl", fired)
	}
	a := readArchive(t, b.path("crawl/archive"))
	if err := sameURLs(a.answers, toFetch(b.reachable())); err != nil {
		t.Error(err)
	}
	if err := a.once(); err != nil {
		t.Error(err)
	}
	b.settled()
	t.Logf("%d kills, %d answers", fired, len(a.answers))
}

// smallBatches is the tour with batches that are fetched in a tenth of a second,
// and a web that lives through the kills.
func smallBatches(t *testing.T) *bench {
	b := newBench(t, programs(t), "tour", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`, "-urls 400", "-urls 40")
	b.ownWeb("-hosts", "20", "-pages", "15")
	return b
}

// sameAs holds the archive against that of another crawl of the same web.
func (b *bench) sameAs(want *archive) {
	b.t.Helper()
	a := readArchive(b.t, b.path("crawl/archive"))
	if err := sameURLs(a.answers, want.answers); err != nil {
		b.t.Error(err)
	}
	if err := sameURLs(a.bodies, want.bodies); err != nil {
		b.t.Errorf("bodies: %v", err)
	}
	for url, digest := range want.digests {
		if a.digests[url] != digest {
			b.t.Errorf("%s has the digest %s, undisturbed %s", url, a.digests[url], digest)
		}
	}
	if err := a.once(); err != nil {
		b.t.Error(err)
	}
}
