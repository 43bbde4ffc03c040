package language

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"multitext/classify/terms"
)

// plainShare is Pr(δ) of the thesis, by its formula.
func plainShare(list map[string]bool, words []string) float64 {
	known := 0.0
	for _, w := range words {
		if short := strings.TrimSuffix(w, "s"); list[w] || list[short] && short != "" {
			known++
		}
	}
	return known / float64(len(words))
}

// plainly names the language of words by the distances that the comment of NGrams defines, with
// maps and a sort.
func plainly(all []profile, words []string) (language string, score float64) {
	counts, first := map[gram]int{}, map[gram]int{}
	in, often := map[gram]bool{}, map[string]int{}
	for _, p := range all {
		for _, g := range p.grams {
			in[g] = true
		}
	}
	var written [scripts]int
	for _, w := range words {
		written[scriptOf([]byte(w))] += 2
	}
	written[none], written[latin] = 0, written[latin]/2
	for _, w := range words {
		if often[w]++; often[w] > 8 || written[scriptOf([]byte(w))] < slices.Max(written[:]) {
			continue
		}
		for _, g := range appendGrams(nil, []byte(w)) {
			if _, met := first[g]; !met {
				first[g] = len(first)
			}
			counts[g]++
		}
	}
	var page []gram
	for g := range counts {
		if in[g] {
			page = append(page, g)
		}
	}
	slices.SortFunc(page, func(a, b gram) int { return cmp.Or(counts[b]-counts[a], first[a]-first[b]) })
	page = page[:min(len(page), profileLength)]
	for _, p := range all {
		distance, shared := 0, false
		for rank, g := range page {
			if at := slices.Index(p.grams, g); at >= 0 {
				distance += abs(rank - at)
				shared = true
			} else {
				distance += profileLength
			}
		}
		if s := 1 - float64(distance)/float64(profileLength*len(page)); shared && s > score {
			language, score = p.language, s
		}
	}
	return language, score
}

// englishList is the words of the program's list.
func englishList(t *testing.T) []string {
	z, err := gzip.NewReader(bytes.NewReader(englishWords))
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(all))
}

// TestPlainly holds both identifiers to their formulas on the beginnings of some real pages, of few
// enough terms to be looked at all.
func TestPlainly(t *testing.T) {
	if testing.Short() {
		t.Skip("takes longer than a second")
	}
	l, n := list(t, Cutoff), languages(t)
	known := map[string]bool{}
	for _, word := range englishList(t) {
		known[word] = true
	}
	for i, p := range readPages(t) {
		if i%3 != 0 {
			continue
		}
		var words []string
		page := new(terms.Document)
		for term := range new(terms.Splitter).HTML(p.body) {
			if page.Len() == sampled-1 {
				break
			}
			page.Add(term)
			words = append(words, string(term))
		}
		if got, want := l.Identify(page).Score, plainShare(known, words); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v of the terms are known, want %v", p.name, got, want)
		}
		language, score := plainly(n.profiles, words)
		if got := n.Identify(page); got.Language != language || math.Abs(got.Score-score) > 1e-12 {
			t.Errorf("%s is %v, want %s at %v", p.name, got, language, score)
		}
	}
}

// TestLongPages: of sampled terms or more each second one is looked at, or each third, and so on.
func TestLongPages(t *testing.T) {
	n, err := ReadNGrams(strings.NewReader("profiles 1\nxx x\nyy y\nzz z\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n        int
		every    int // letter x stands in each such term, y in the others
		language string
	}{
		{sampled - 1, 3, "yy"}, {sampled, 2, "xx"}, {2*sampled - 1, 2, "xx"}, {2*sampled - 1, 3, "yy"},
		{2 * sampled, 3, "xx"}, {3 * sampled, 4, "xx"},
	} {
		page := new(terms.Document)
		for i := range c.n {
			letter := "y"
			if i%c.every == 0 {
				letter = "x"
			}
			page.Add(fmt.Appendf(nil, "%s%d", letter, i))
		}
		if got := n.Identify(page); got.Language != c.language {
			t.Errorf("%d terms, each %dth with x, are %v, want %s", c.n, c.every, got, c.language)
		}
	}
}

// TestOften: what a page says again and again counts for no more than some terms that it says once.
func TestOften(t *testing.T) {
	n, err := ReadNGrams(strings.NewReader("profiles 1\nxx x y\nyy y x\n"))
	if err != nil {
		t.Fatal(err)
	}
	for once, want := range map[int]string{often - 1: "yy", often + 1: "xx"} {
		page := said(strings.Repeat("y ", 1000))
		for i := range once {
			page.Add(fmt.Appendf(nil, "x%d", i))
		}
		if got := n.Identify(page); got.Language != want {
			t.Errorf("a term said a thousand times and %d that are said once are %v, want %s", once, got, want)
		}
	}
}
