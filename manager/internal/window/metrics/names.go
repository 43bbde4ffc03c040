package metrics

import (
	"maps"
	"slices"

	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

// mostNames is the maximum number of reasons, and of counters, of one stage.
const mostNames = 100

// other is the name under which the rest is summed.
const other = "other"

// named returns the values of what a stage has named itself in its reports. The names are stable:
// those are shown that come first by their letters.
func named(of func(view.Stage) map[string]int64) func(*figures) []value {
	return func(f *figures) (out []value) {
		for _, s := range f.Stages {
			sums := map[string]float64{}
			for _, name := range slices.Sorted(maps.Keys(of(s))) {
				shown := terminal.Printable(name)
				if _, known := sums[shown]; !known && len(sums) >= mostNames {
					shown = other
				}
				sums[shown] += float64(of(s)[name])
			}
			for _, name := range slices.Sorted(maps.Keys(sums)) {
				out = append(out, value{sums[name], []string{s.Name, name}})
			}
		}
		return out
	}
}
