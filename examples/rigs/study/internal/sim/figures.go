package sim

import (
	"iter"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// Figures are what is told of a crawl, or of its beginning. Shares are 0 to 1; NaN where there is
// nothing to divide by.
type Figures struct {
	Fetches int // URLs fetched, by each crawler that fetched them
	URLs    int // each once

	// Pages is of pages that were fetched by a link: definition 3.1.2. NaN throughout for a
	// partition that is not content-oriented. Links is of links that were followed, wherever they
	// led: definition 3.1.1, likewise.
	Pages, Links Kept

	By      []int   // By[k-1] URLs were fetched by exactly k crawlers
	Again   float64 // fetches of a URL after its first, by URL
	Copies  float64 // contents that more than one crawler holds, of all contents
	Sent    float64 // bytes sent from crawler to crawler, by byte fetched
	Fetched float64 // the most pages that a crawler fetched, by their mean
	Held    float64 // the same of pages that it took
}

// Kept tells how much stays with the crawler that found it.
type Kept struct {
	Micro  float64 // of all
	Macro  float64 // the mean of the crawlers' shares
	Chance float64 // Σp², p being what each crawler owns of the different pages
	R      float64 // (Micro − Chance) / (1 − Chance)
	// ByLoad is Σfp, f being the crawlers' shares of all that counts here: what owners dealt out at
	// random would keep. It is Chance if each crawler fetches the share that it owns.
	ByLoad float64
	Matrix [][]int // from crawler to crawler
	Bytes  [][]int // the same in bytes
}

// AtMost is the share of the URLs that at most k crawlers fetched.
func (f *Figures) AtMost(k int) float64 {
	n := 0
	for _, by := range f.By[:min(k, len(f.By))] {
		n += by
	}
	return float64(n) / float64(f.URLs)
}

// Figures counts the log.
func (l *Log) Figures() Figures {
	p, pages, n := &l.crawl.Partition, l.crawl.Web.Pages, len(l.crawl.Seeds)
	stays, followed := newTally(n, len(pages)), newTally(n, len(pages))
	fetchedBy := make([]uint64, len(pages))
	heldBy := make(map[uint64]uint64)
	fetched, held := make([]int, n), make([]int, n)
	var in, out float64
	f := Figures{}
	for _, e := range l.Events {
		out += float64(e.Sent)
		switch e.Kind {
		case Fetched:
			f.Fetches++
			in += float64(pages[e.Page].Size)
			fetched[e.Crawler]++
			fetchedBy[e.Page] |= 1 << e.Crawler
			if p.ContentOriented() {
				stays.add(e.Crawler, p.topic(e.Page), e.Page, pages[e.Page].Size, e.Parent != None)
			}
		case Taken, Copied:
			if e.Kind == Taken {
				held[e.Crawler]++
			}
			if pages[e.Page].Valid() && pages[e.Page].Size > 0 {
				heldBy[pages[e.Page].Content] |= 1 << e.Crawler
			}
			for _, to := range e.links(pages) {
				if p.URLOriented() {
					followed.add(e.Crawler, p.link(e.Page, to), to, len(pages[to].URL)+len("\n"), true)
				}
			}
		}
	}
	f.By = spread(slices.Values(fetchedBy), n)
	for _, urls := range f.By {
		f.URLs += urls
	}
	f.Again = float64(f.Fetches-f.URLs) / float64(f.URLs)
	f.Copies = 1 - float64(spread(maps.Values(heldBy), n)[0])/float64(len(heldBy))
	f.Sent = out / in
	f.Fetched, f.Held = overMean(fetched), overMean(held)
	f.Pages, f.Links = stays.kept(), followed.kept()
	return f
}

// spread counts what exactly k crawlers have, k from 1; each set has a bit for every crawler.
func spread(sets iter.Seq[uint64], crawlers int) []int {
	counts := make([]int, crawlers+1)
	for set := range sets {
		counts[bits.OnesCount64(set)]++
	}
	return counts[1:]
}

func overMean(counts []int) float64 {
	most, sum := 0, 0
	for _, n := range counts {
		most, sum = max(most, n), sum+n
	}
	return float64(most) * float64(len(counts)) / float64(sum)
}

// A tally counts what goes from crawler to crawler, and the different things by owner.
type tally struct {
	matrix [][]int
	bytes  [][]int
	owned  []int
	met    []bool
	things int // that were met
}

func newTally(crawlers, pages int) *tally {
	t := &tally{owned: make([]int, crawlers), met: make([]bool, pages)}
	for range crawlers {
		t.matrix, t.bytes = append(t.matrix, make([]int, crawlers)), append(t.bytes, make([]int, crawlers))
	}
	return t
}

// add counts that crawler from had a thing of so many bytes that belongs to owner; what anyone owns
// says nothing. Only what came by a link counts as kept or not.
func (t *tally) add(from, owner, thing, size int, byLink bool) {
	if owner == Anyone {
		return
	}
	if byLink {
		t.matrix[from][owner]++
		t.bytes[from][owner] += size
	}
	if !t.met[thing] {
		t.met[thing] = true
		t.things++
		t.owned[owner]++
	}
}

func (t *tally) kept() Kept {
	k := Kept{Matrix: t.matrix, Bytes: t.bytes}
	var own, all, crawlers, shares float64
	for from, row := range t.matrix {
		sum := 0
		for _, n := range row {
			sum += n
		}
		own, all = own+float64(row[from]), all+float64(sum)
		k.ByLoad += float64(sum) * float64(t.owned[from]) / float64(t.things)
		if sum > 0 {
			crawlers++
			shares += float64(row[from]) / float64(sum)
		}
	}
	for _, n := range t.owned {
		k.Chance += math.Pow(float64(n)/float64(t.things), 2)
	}
	k.Micro, k.Macro, k.ByLoad = own/all, shares/crawlers, k.ByLoad/all
	k.R = (k.Micro - k.Chance) / (1 - k.Chance)
	if k.Chance == 1 || t.things == 0 {
		k.R = math.NaN()
	}
	if t.things == 0 {
		k.Chance = math.NaN()
	}
	return k
}
