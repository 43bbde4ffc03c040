package examples

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestOrderAgrees: the order in which a crawl fetches is that of the simulation of advise over the
// links of its pages, page for page, in every order that needs no stage of a user's own. By pagerank
// it is nearly that: the stage numbers pages by hashes with the crawl's secret, and sums in the order of
// the numbers; a rank at the border of two classes may be rounded to one or the other.
func TestOrderAgrees(t *testing.T) {
	dir, pages := t.TempDir(), 40
	small(t, dir, pages)
	for _, order := range []string{"breadth", "depth", "random", "backlink", "backlink-others", "opic",
		"backlink=2,breadth", "pagerank"} {
		// The name is in that of the folder, and advise takes a list of files of seeds.
		t.Run(strings.ReplaceAll(order, ",", " and "), func(t *testing.T) {
			t.Parallel()
			b := newBench(t, programs(t), "testdata/agrees", "crawl.toml", `"127.0.0.1:8480"`, `"WEB"`, `"breadth"`,
				fmt.Sprintf("%q", order))
			if order == "pagerank" {
				b.change("[stage.resolve]", ranksLinks+"[stage.resolve]", `["fresh", "known"`,
					`["fresh", "ranked", "known"`)
			}
			b.write("seeds.txt", "http://h0.test/0.html\nhttp://h1.test/1.html\n")
			b.serve("-root", dir)
			b.run(0)
			crawled, simulated := b.batches("frontier"), b.simulated(order)
			if len(crawled) != pages {
				t.Errorf("%d pages were fetched, want %d", len(crawled), pages)
			}
			if order == "pagerank" {
				b.nearly(crawled, simulated)
				return
			}
			for i, url := range crawled {
				if i >= len(simulated) || simulated[i] != url {
					t.Fatalf("page %d of the crawl is %s, of the simulation of %d %q", i, url, len(simulated),
						simulated[min(i, len(simulated)):min(i+1, len(simulated))])
				}
			}
		})
	}
}

// nearly wants a crawl by pagerank to have the pages of its simulation, in the mean less than three places
// from where they are there; and that a crawl breadth first is farther from that.
func (b *bench) nearly(crawled, simulated []string) {
	b.t.Helper()
	near, far := displaced(crawled, simulated), displaced(b.simulated("breadth"), simulated)
	b.t.Logf("%.2f places from the simulation in the mean, breadth first %.2f", near, far)
	if near >= 3 || far <= 3 {
		b.t.Errorf("the crawl is %.2f places from its simulation in the mean, breadth first %.2f; want less than 3,"+
			" and more", near, far)
	}
}

// displaced is how many places the URLs of a list are from those in another in the mean, the length of
// the list for one that is not in that.
func displaced(list, other []string) float64 {
	sum := 0
	for i, url := range list {
		at := slices.Index(other, url)
		if at < 0 {
			at = i + len(list)
		}
		sum += max(i-at, at-i)
	}
	return float64(sum) / float64(len(list))
}

// ranksLinks is a reader of all links, for the order pagerank.
const ranksLinks = `[stage.rank]
in    = "links"
out   = "ranked"
state = "graph"
run   = "rank -graph {graph} -new {graph.new} -ranked {ranked} -report {report} {in}"

`

// small writes a web of so many pages on four hosts, with links to pages by chance, half of them to the
// first tenth, and to the next two pages, so that all are reached.
func small(t *testing.T, dir string, pages int) {
	t.Helper()
	random := rand.New(rand.NewPCG(16, 4))
	name := func(page int) string { return fmt.Sprintf("h%d.test/%d.html", page%4, page) }
	for from := range pages {
		links := []int{(from + 1) % pages, (from + 2) % pages}
		for range 4 {
			links = append(links, random.IntN(pages), random.IntN(pages/10))
		}
		text := ""
		for _, to := range links {
			text += fmt.Sprintf("<a href=http://%s>%d</a>\n", name(to), to)
		}
		path := filepath.Join(dir, name(from))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// batches are the URLs in the batches of a queue, which keeps them, in the order of their transactions.
func (b *bench) batches(queue string) (urls []string) {
	b.t.Helper()
	for _, fields := range b.recordsOf(queue) {
		urls = append(urls, fields[0])
	}
	if urls == nil {
		b.t.Fatalf("no batches in %s", queue)
	}
	return urls
}

// simulated are the URLs that advise fetches in an order, from the links that the crawl has found.
func (b *bench) simulated(order string) (urls []string) {
	b.t.Helper()
	links, err := filepath.Glob(b.crawlPath("links/*"))
	if err != nil {
		b.t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(b.bin, "advise"), append([]string{"-fetched", "-order", order, "-urls", "1",
		"-delay", "1ms", "-seeds", b.path("seeds.txt")}, links...)...)
	cmd.Env = append(os.Environ(), "MT_SECRET="+b.crawlPath("secret"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		b.t.Fatalf("advise: %v", err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
		_, url, _ := strings.Cut(line, "\t")
		urls = append(urls, url)
	}
	return urls
}
