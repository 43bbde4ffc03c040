package near

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"multitext/classify/terms"
	"multitext/classify/testkit"
)

// sitePages is how many pages of real sites TestSites reads: 12,000 take half a minute.
var sitePages = flag.Int("sites", 0, "look for near-duplicates among so many pages of real sites")

// files calls do with the files of a set whose names end so, each content once, until do says
// that it has enough.
func files(t *testing.T, set, ext string, do func(name string, text []byte) bool) {
	t.Helper()
	known := map[uint64]bool{}
	testkit.Files(t, set, func(name string, text []byte) bool {
		sum := xxhash.Sum64(text)
		if known[sum] || !strings.HasSuffix(name, ext) {
			return true
		}
		known[sum] = true
		return do(name, text)
	})
}

// stories reads the stories, each once: some are there twice, word for word.
func stories(t *testing.T) (all []string) {
	t.Helper()
	files(t, "bbc", ".txt", func(_ string, text []byte) bool {
		all = append(all, string(text))
		return true
	})
	return all
}

// owners are the texts met so far, by their super-shingles: what xdup keeps in its state.
type owners map[uint64]int

// like gives the text that shares most super-shingles with the sketch, and how many.
func (o owners) like(s Sketch) (text, n int) {
	count := map[int]int{}
	for _, k := range s {
		if i, ok := o[k]; ok {
			if count[i]++; count[i] > n {
				text, n = i, count[i]
			}
		}
	}
	return text, n
}

// likeness is Jaccard's measure of two texts, reckoned from all their shingles.
func likeness(a, b string) float64 {
	x, y := shingles(a), shingles(b)
	common := 0
	for s := range x {
		if y[s] {
			common++
		}
	}
	return float64(common) / float64(len(x)+len(y)-common)
}

func shingles(text string) map[string]bool {
	var words []string
	for w := range (&terms.Splitter{Digits: true}).Text([]byte(text)) {
		words = append(words, string(w))
	}
	set := map[string]bool{}
	for i := range len(words) - 2 {
		set[strings.Join(words[i:i+3], " ")] = true
	}
	return set
}

// edit changes k words of a text, each for a new one.
func edit(rnd *rand.Rand, text string, k int) string {
	words := strings.Fields(text)
	for _, i := range rnd.Perm(len(words))[:min(k, len(words))] {
		words[i] = fmt.Sprint("new", rnd.Uint32())
	}
	return strings.Join(words, " ")
}

// TestStories shows what the judgement is worth on real texts: which stories it takes for copies of
// each other, and how many it finds again after so many words were changed.
func TestStories(t *testing.T) {
	all := stories(t)
	s, known := NewSketcher(), owners{}
	flagged, right := 0, 0
	for i, text := range all {
		sketch, ok := s.Text([]byte(text))
		if !ok {
			continue
		}
		if other, n := known.like(sketch); n >= 2 {
			flagged++
			j := likeness(text, all[other])
			if j >= 0.75 {
				right++
			}
			t.Logf("taken for a copy: %.50q and %.50q, of likeness %.2f", text, all[other], j)
			continue
		}
		for _, k := range sketch {
			if _, ok := known[k]; !ok {
				known[k] = i
			}
		}
	}
	t.Logf("%d stories, %d taken for copies, %d of them of likeness 0.75 or more", len(all), flagged, right)
	if flagged == 0 || float64(right) < 0.9*float64(flagged) {
		t.Errorf("precision: %d of %d", right, flagged)
	}
	rnd := rand.New(rand.NewPCG(11, 12))
	sample := rnd.Perm(len(all))[:300]
	slices.Sort(sample)
	for _, c := range []struct {
		k           int
		least, most float64
	}{{1, 0.95, 1}, {2, 0.88, 1}, {5, 0.45, 0.75}, {10, 0.08, 0.35}, {20, 0, 0.1}, {100, 0, 0}} {
		found := 0
		for _, i := range sample {
			if sketch, ok := s.Text([]byte(edit(rnd, all[i], c.k))); ok {
				if _, n := known.like(sketch); n >= 2 {
					found++
				}
			}
		}
		recall := float64(found) / float64(len(sample))
		t.Logf("%3d words changed: %.3f found again", c.k, recall)
		if recall < c.least || recall > c.most {
			t.Errorf("%d words changed: %.3f found again, want %.2f to %.2f", c.k, recall, c.least, c.most)
		}
	}
}

// TestSites shows what the judgement finds among the pages of real sites: how many it takes for
// copies, and how alike these are, reckoned from all their shingles.
func TestSites(t *testing.T) {
	if *sitePages == 0 {
		t.Skip("asked for by -sites 12000")
	}
	s, known := NewSketcher(), owners{}
	var pages, names []string
	judged, flagged, right := 0, 0, 0
	files(t, testkit.Sites, ".html", func(name string, html []byte) bool {
		sketch, ok := s.HTML(html)
		if !ok {
			return true
		}
		judged++
		var text strings.Builder
		for w := range (&terms.Splitter{Digits: true}).HTML(html) {
			text.Write(w)
			text.WriteByte(32)
		}
		if other, n := known.like(sketch); n >= 2 {
			flagged++
			j := likeness(text.String(), pages[other])
			if j >= 0.75 {
				right++
			}
			if flagged%100 == 1 || j < 0.75 {
				t.Logf("%s is taken for a copy of %s: likeness %.2f", name, names[other], j)
			}
			return judged < *sitePages
		}
		for _, k := range sketch {
			if _, ok := known[k]; !ok {
				known[k] = len(pages)
			}
		}
		pages, names = append(pages, text.String()), append(names, name)
		return judged < *sitePages
	})
	t.Logf("%d different pages, %d taken for copies, %d of them of likeness 0.75 or more", judged, flagged, right)
	if flagged == 0 || float64(right) < 0.9*float64(flagged) {
		t.Errorf("precision: %d of %d", right, flagged)
	}
}
