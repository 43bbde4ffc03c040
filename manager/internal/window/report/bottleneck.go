package report

import (
	"fmt"
	"slices"

	"multitext/script"
)

// What counts as a bottleneck, in shares of the instants at which a manager ran.
const (
	busy  = 0.6 // a stage that ran as often as its jobs allow
	short = 0.3 // a limit, or a condition, that kept a stage from running
)

// bottleneck says in a sentence what held the crawl up, and why. The rules are tried in turn:
//
//   - A stage that ran nearly always is one: the crawl cannot be faster than it, whatever the others
//     do.
//   - The limit of processes is one if stages waited for a process.
//   - Otherwise it is the condition that most kept a stage with work from running.
//
// computing tells which share of its runs' time a stage used a processor.
func (w *waits) bottleneck(s *script.Script, computing func(stage string) float64) string {
	if !slices.ContainsFunc(w.stages, func(stage string) bool { return w.share(stage, runs_) > 0 }) {
		return "Nothing ran yet."
	}
	stage, share := w.busiest()
	slots := w.of(func(i int) bool { return w.slots[i] })
	waiting, kind, waited := w.heldUp()
	switch {
	case share >= busy:
		return fmt.Sprintf("The bottleneck was %s: %s for %s of the time, and used %s of a processor in it%s.", stage,
			itsJobs(s.Heir(stage).Jobs), percent(share), percent(computing(stage)), w.starved(s, stage))
	case slots >= short:
		return fmt.Sprintf("The bottleneck was the limit of processes (jobs = %d): for %s of the time all were in use "+
			"and another stage could have run; the busiest stage, %s, ran at its own limit for only %s.",
			s.Limit.Jobs, percent(slots), stage, percent(share))
	case waited >= short:
		return fmt.Sprintf("Nothing was busy all the time. The crawl waited most for %s: for %s of the time it had this "+
			"to say: %s.", waiting, percent(waited), kind)
	}
	return fmt.Sprintf("There was no bottleneck: the busiest stage, %s, ran at its limit for %s of the time.", stage,
		percent(share))
}

// busiest is the stage that most often ran as often as its jobs allow.
func (w *waits) busiest() (stage string, share float64) {
	for _, name := range w.stages {
		if full := w.of(func(i int) bool { return w.full[name][i] }); stage == "" || full > share {
			stage, share = name, full
		}
	}
	return stage, share
}

// heldUp is the stage that most often did not run for a reason other than that it had no work, or less
// than it asks for.
func (w *waits) heldUp() (stage, said string, share float64) {
	others := []string{runs_, "inputs wait", "at least min wait", "every has passed", ready, noManager}
	for _, name := range w.stages {
		for _, k := range kinds {
			if slices.Contains(others, k.name) {
				continue
			}
			if of := w.share(name, k.name); of > share {
				stage, said, share = name, k.shown.Name, of
			}
		}
	}
	return stage, said, share
}

func itsJobs(jobs int) string {
	if jobs == 1 {
		return "it ran"
	}
	return fmt.Sprintf("all of its %d jobs ran", jobs)
}

// starved says of the first stage that reads what another writes, and often had no input, how long
// that was.
func (w *waits) starved(s *script.Script, from string) string {
	for _, queue := range s.Heir(from).Out {
		for _, reader := range s.Stages {
			none := w.share(reader.Name, "inputs wait")
			if reader.Name != from && slices.Contains(reader.In, queue) && none >= short {
				return fmt.Sprintf("; meanwhile %s, which reads what it writes, had no input for %s", reader.Name,
					percent(none))
			}
		}
	}
	return ""
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
