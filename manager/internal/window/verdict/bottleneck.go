package verdict

import (
	"fmt"

	"multitext/manager/internal/figure"
)

// busy is the least share of the time for which a bottleneck runs.
const busy = 0.6

// A Stage is what a stage did in a piece of time.
type Stage struct {
	Name      string
	Jobs      int     // how many of its runs the script allows at the same time
	Busy      float64 // the share of the time in which so many ran
	Computing float64 // the processors that a run used, in the mean; negative if that is not known
	More      string  // what else the reader should know if this stage is the bottleneck
}

// A Time is the piece of time that is spoken of.
type Time struct {
	Of   string // in words, as "the time"
	Over bool   // whether the crawl has ended
}

// Bottleneck says which stage is the bottleneck, or that the limit of processes is. jobs is that
// limit, and limited says how it held stages up; "" if it did not. The rules are tried in turn:
//
//   - A stage that ran nearly always, as often as its jobs allow, is one: the crawl cannot be faster
//     than it, whatever the others do.
//   - The limit of processes is one if it held stages up.
//   - Otherwise there is none, and the sentence is empty. Only the caller can say what the crawl
//     waited for.
func Bottleneck(stages []Stage, jobs int, limited string, t Time) string {
	verb := "is"
	if t.Over {
		verb = "was"
	}
	most, ok := Busiest(stages)
	switch {
	case ok && most.Busy >= busy:
		return fmt.Sprintf("The bottleneck %s %s: %s for %s of %s%s%s.", verb, most.Name, most.ran(),
			figure.Percent(most.Busy), t.Of, most.used(), most.More)
	case limited != "":
		return fmt.Sprintf("The bottleneck %s the limit of processes, jobs = %d: %s.", verb, jobs, limited)
	}
	return ""
}

// Busiest returns the stage that ran most. ok is false if there is none.
func Busiest(stages []Stage) (most Stage, ok bool) {
	for _, s := range stages {
		if !ok || s.Busy > most.Busy {
			most, ok = s, true
		}
	}
	return most, ok
}

// Computing returns how many processors runs used in the mean that took some seconds; negative if
// there were none.
func Computing(cpu, wall float64) float64 {
	if wall <= 0 {
		return -1
	}
	return cpu / wall
}

func (s Stage) used() string {
	if s.Computing < 0 {
		return ""
	}
	return fmt.Sprintf(", with %s of a processor", figure.Percent(s.Computing))
}

func (s Stage) ran() string {
	if s.Jobs <= 1 {
		return "it ran"
	}
	return fmt.Sprintf("all of its %d jobs ran", s.Jobs)
}
