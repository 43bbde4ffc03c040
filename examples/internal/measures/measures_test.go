package measures

import (
	"math"
	"testing"
)

// Three crawlers, 9 fetches of 6 pages; of 8 pages that there are two were not fetched.
var three = Fetches[string]{"a": 3, "b": 2, "c": 1, "d": 1, "e": 1, "f": 1}

func TestMeasures(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f", "g", "h", "a", "h"}
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"N", float64(three.Total()), 9},
		{"overlap", three.Overlap(), 0.5},
		{"overlap of no page", Fetches[int]{}.Overlap(), 0},
		{"overlap of one crawler", Fetches[int]{1: 1, 2: 1}.Overlap(), 0},
		{"overlap of four that have fetched everything", Fetches[int]{1: 4, 2: 4, 3: 4}.Overlap(), 3},
		{"coverage", three.Share(all), 0.75},
		{"quality", three.Share([]string{"h", "a", "g", "b"}), 0.5},
		{"a page that is named with no fetch", Fetches[string]{"a": 0}.Share([]string{"a"}), 0},
		{"share of nothing", three.Share(nil), 0},
		{"overhead", Per(6, 4), 1.5},
		{"overhead without pages", Per(int64(6), 0), 0},
		{"load", Imbalance([]int{2, 2, 5}), 5. / 3},
		{"equal loads", Imbalance([]int64{7, 7}), 1},
		{"one has all", Imbalance([]int64{0, 7, 0, 0}), 4},
		{"no load", Imbalance([]int{0, 0}), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
}
