package rank

import (
	"math"
	"math/rand/v2"
	"testing"
)

// bruteTau compares all pairs.
func bruteTau(x, y []float64) float64 {
	var agree, inX, inY float64
	for i := range x {
		for j := range i {
			a, b := sign(x[i]-x[j]), sign(y[i]-y[j])
			agree += a * b
			inX += a * a
			inY += b * b
		}
	}
	return agree / math.Sqrt(inX*inY)
}

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

func TestTauIsThatOfAllPairs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, values := range []int{2, 3, 10, 1000} { // few values: many ties
		for range 200 {
			n := 2 + random.IntN(40)
			x, y := make([]float64, n), make([]float64, n)
			for i := range x {
				x[i] = float64(random.IntN(values))
				y[i] = x[i] + float64(random.IntN(values))
			}
			got, want := Tau(x, y, 0), bruteTau(x, y)
			if math.Abs(got-want) > 1e-12 && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("tau of %v and %v is %v, want %v", x, y, got, want)
			}
		}
	}
}

func TestTauOfNearValues(t *testing.T) {
	x, y := []float64{1, 1 + 1e-14, 2}, []float64{2, 1, 3}
	if got, want := Tau(x, y, 1e-12), bruteTau([]float64{1, 1, 2}, y); math.Abs(got-want) > 1e-12 {
		t.Errorf("tau is %v, want %v", got, want)
	}
	if got := Tau(x, y, 0); math.Abs(got-1./3) > 1e-12 {
		t.Errorf("without a bound for ties tau is %v, want 1/3", got)
	}
}

// A page that two others link to, one of which it links back to: solved by hand.
func TestPageRank(t *testing.T) {
	got := PageRank([][]int{{1}, {0}, {0}}, 0.85, 1e-12)
	third := 0.05 // nobody links to it
	one := (0.05 + 0.85*(0.05+third)) / (1 - 0.85*0.85)
	for i, want := range []float64{one, 0.05 + 0.85*one, third} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("page %d has rank %v, want %v", i, got[i], want)
		}
	}
}

func TestPageRankOfDanglingPages(t *testing.T) {
	got := PageRank([][]int{{1}, nil, nil}, 0.85, 1e-12)
	if sum := got[0] + got[1] + got[2]; math.Abs(sum-1) > 1e-9 {
		t.Errorf("the ranks add up to %v", sum)
	}
	if got[0] != got[2] || got[1] <= got[0] {
		t.Errorf("the ranks are %v", got)
	}
}

func TestInner(t *testing.T) {
	inner := Inner([][]int{{1, 2}, {2}, {0, 1}}, []int{2, 0})
	if len(inner) != 2 || len(inner[0]) != 1 || inner[0][0] != 1 || len(inner[1]) != 1 || inner[1][0] != 0 {
		t.Errorf("the inner links are %v", inner)
	}
}
