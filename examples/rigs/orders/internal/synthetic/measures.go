package synthetic

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Fit is what the parameters of a model are chosen by.
type Fit struct {
	Links  float64 // of a page, in the mean
	Within float64 // share of the links that lead to a page of the same host
	In     float64 // exponent of the power law of the in-degrees from tail up
	Out    float64 // the same of the out-degrees
}

// Fit measures a Web.
func (w *Web) Fit(tail int) (f Fit) {
	all, within := 0, 0
	for from, links := range w.Links {
		all += len(links)
		for _, to := range links {
			if w.Host[from] == w.Host[to] {
				within++
			}
		}
	}
	return Fit{Links: float64(all) / float64(len(w.Links)), Within: float64(within) / float64(all),
		In: exponent(w.InDegree(), tail), Out: exponent(w.OutDegree(), tail)}
}

// exponent is that of a power law which degrees of tail and more follow, by maximum likelihood
// (Clauset, Shalizi and Newman, "Power-law distributions in empirical data", 2009, equation 3.7).
func exponent(degrees []int, tail int) float64 {
	n, sum := 0, 0.0
	for _, d := range degrees {
		if d >= tail {
			n++
			sum += math.Log(float64(d) / (float64(tail) - 0.5))
		}
	}
	return 1 + float64(n)/sum
}

// Checks is what a model is judged by; no parameter is chosen by it. A crawl begins with one page of
// each host, drawn by lot.
type Checks struct {
	Reciprocity float64 // share of the links whose target links back
	Gini        float64 // of the hosts' sizes: 0 where all are equal, near 1 where one has all pages
	Near        float64 // share of the pages reached by breadth that are within three links of a seed
	Correlation float64 // of in-degree and depth, over the pages reached: Spearman's rho
}

// Checks measures a Web.
func (w *Web) Checks(random *rand.Rand) Checks {
	in, near := w.InDegree(), 0
	var degrees, depths []int
	for page, depth := range w.depths(w.OneOfEach(random)) {
		if depth >= 0 {
			degrees, depths = append(degrees, in[page]), append(depths, depth)
		}
		if depth >= 0 && depth <= 3 {
			near++
		}
	}
	return Checks{w.reciprocity(), w.gini(), float64(near) / float64(len(depths)),
		correlation(ranks(degrees), ranks(depths))}
}

// OneOfEach is a page of each host, drawn by lot, in the order of their drawing.
func (w *Web) OneOfEach(random *rand.Rand) (pages []uint32) {
	met := make(map[uint32]bool)
	for _, page := range random.Perm(len(w.Host)) {
		if !met[w.Host[page]] {
			met[w.Host[page]] = true
			pages = append(pages, uint32(page))
		}
	}
	return pages
}

// depths is the number of links from the nearest seed to each page; -1: it is not reached.
func (w *Web) depths(seeds []uint32) []int {
	depths := slices.Repeat([]int{-1}, len(w.Host))
	for _, seed := range seeds {
		depths[seed] = 0
	}
	for queue := slices.Clone(seeds); len(queue) > 0; queue = queue[1:] {
		for _, to := range w.Links[queue[0]] {
			if depths[to] < 0 {
				depths[to] = depths[queue[0]] + 1
				queue = append(queue, to)
			}
		}
	}
	return depths
}

func (w *Web) reciprocity() float64 {
	sorted, all, back := make([][]uint32, len(w.Links)), 0, 0
	for page, links := range w.Links {
		sorted[page] = slices.Sorted(slices.Values(links))
	}
	for from, links := range w.Links {
		all += len(links)
		for _, to := range links {
			if _, ok := slices.BinarySearch(sorted[to], uint32(from)); ok {
				back++
			}
		}
	}
	return float64(back) / float64(all)
}

func (w *Web) gini() float64 {
	of := make(map[uint32]int)
	for _, host := range w.Host {
		of[host]++
	}
	sizes, sum, weighted := []int{}, 0.0, 0.0
	for _, n := range of {
		sizes = append(sizes, n)
	}
	slices.Sort(sizes)
	for i, n := range sizes {
		sum += float64(n)
		weighted += float64(i+1) * float64(n)
	}
	n := float64(len(sizes))
	return 2*weighted/(n*sum) - (n+1)/n
}

// ranks of values; equal ones have the mean of their ranks.
func ranks(values []int) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	all := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			all[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return all
}

// correlation is that of Pearson.
func correlation(a, b []float64) float64 {
	var meanA, meanB, ab, aa, bb float64
	for i := range a {
		meanA, meanB = meanA+a[i]/float64(len(a)), meanB+b[i]/float64(len(b))
	}
	for i := range a {
		x, y := a[i]-meanA, b[i]-meanB
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}
