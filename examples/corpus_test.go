package examples

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// corpusBench is the example with its model.
func corpusBench(t *testing.T) *bench {
	t.Helper()
	b := newBench(t, programs(t), "corpus", "crawl.toml", `"127.0.0.1:8490"`, `"WEB"`)
	cmd := exec.Command("sh", b.path("train.sh"))
	cmd.Env = append(os.Environ(), "BIN="+b.bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("train.sh: %v\n%s", err, out)
	}
	return b
}

// A corpusText is what a corpus has of a page that does not depend on the order of the crawl.
type corpusText struct {
	URL, Language, Digest, Text string
	Quality                     float64
}

// corpus reads the texts of the crawl, and holds that no page has two.
func (b *bench) corpus() map[string]corpusText {
	b.t.Helper()
	files, err := filepath.Glob(b.crawlPath("texts/*"))
	if err != nil {
		b.t.Fatal(err)
	}
	all := map[string]corpusText{}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			b.t.Fatal(err)
		}
		z, err := zstd.NewReader(f)
		if err != nil {
			b.t.Fatal(err)
		}
		lines := bufio.NewScanner(z)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var text corpusText
			if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
				b.t.Fatal(path, err)
			}
			if _, twice := all[text.URL]; twice {
				b.t.Errorf("%s is in the corpus twice", text.URL)
			}
			all[text.URL] = text
		}
		if err := lines.Err(); err != nil {
			b.t.Fatal(path, err)
		}
		z.Close()
		f.Close()
	}
	return all
}

// topicalKinds is what testweb says is behind each URL of the example's web: kind, topic, language.
func (b *bench) topicalKinds() map[string][3]string {
	b.t.Helper()
	kinds := map[string][3]string{}
	for line := range strings.Lines(b.output(b.bin+"/testweb", "-topical", b.path("web.toml"), "-links")) {
		if f := strings.Split(line, "\t"); len(f) > 4 {
			kinds[f[0]] = [3]string{f[2], f[3], f[4]}
		}
	}
	return kinds
}

// holdCorpus compares the corpus with what the web has.
func (b *bench) holdCorpus(corpus map[string]corpusText) {
	b.t.Helper()
	kinds := b.topicalKinds()
	good, wrong, missing := 0, 0, 0
	isGood := func(k [3]string) bool { return k[0] == "page" && (k[1] == "science" || k[1] == "society") }
	for url, text := range corpus {
		k, ok := kinds[url]
		switch {
		case !ok || k[0] != "page" && k[0] != "portal" || k[2] != "en" || text.Language != "en" || text.Quality < 0.5:
			b.t.Errorf("%s is %q, and in the corpus as %s with %v", url, k, text.Language, text.Quality)
		case isGood(k):
			good++
		case k[0] == "page":
			wrong++
		}
	}
	for url, k := range kinds {
		if _, ok := corpus[url]; isGood(k) && !ok {
			missing++
		}
	}
	b.t.Logf("%d good pages are in the corpus and %d are not, with %d bad ones", good, missing, wrong)
	if good < 100 || 20*missing > good || 20*wrong > good {
		b.t.Errorf("%d good pages are in the corpus and %d are not, with %d bad ones", good, missing, wrong)
	}
}

// TestCorpus: of a web of good, bad and foreign pages the corpus has the good ones. Killed at random,
// the same crawl makes the same corpus.
func TestCorpus(t *testing.T) {
	t.Parallel()
	b := corpusBench(t)
	b.run(0)
	b.verified()
	b.settled()
	whole := b.corpus()
	b.holdCorpus(whole)

	k := corpusBench(t)
	k.ownWeb("-topical", k.path("web.toml"))
	if fired := k.killed(12, wholeTree, 100*time.Millisecond, 500*time.Millisecond); fired < 5 {
		t.Errorf("only %d kills hit the crawl", fired)
	}
	k.settled()
	k.verified()
	again := k.corpus()
	for url, text := range whole {
		if again[url] != text {
			t.Errorf("%s: after kills %+v, before %+v", url, again[url], text)
		}
	}
	if len(again) != len(whole) {
		t.Errorf("%d texts after kills, %d before", len(again), len(whole))
	}
}
