package report

import (
	"fmt"
	"slices"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/window/verdict"
	"multitext/script"
)

// short is the least share of the time for which the report says that a limit or a condition held
// the crawl up. Time without a manager does not count.
const short = 0.3

// bottleneck says in a sentence what held the crawl up, and why. If package verdict sees no
// bottleneck, it is the condition that most kept a stage with work from running. computing tells
// which share of its runs' time a stage used a processor.
func (w *waits) bottleneck(s *script.Script, computing func(stage string) float64) string {
	if !slices.ContainsFunc(w.stages, func(stage string) bool { return w.share(stage, runs_) > 0 }) {
		return "Nothing ran yet."
	}
	var stages []verdict.Stage
	for _, name := range w.stages {
		full := w.of(func(i int) bool { return w.full[name][i] })
		stages = append(stages, verdict.Stage{Name: name, Jobs: s.Heir(name).Jobs, Busy: full,
			Computing: computing(name), More: w.starved(s, name)})
	}
	busiest, _ := verdict.Busiest(stages)
	limited := ""
	if slots := w.of(func(i int) bool { return w.slots[i] }); slots >= short {
		limited = fmt.Sprintf("for %s of the time all were in use and another stage could have run; the busiest stage, "+
			"%s, ran at its own limit for only %s", figure.Percent(slots), busiest.Name, figure.Percent(busiest.Busy))
	}
	said := verdict.Bottleneck(stages, s.Limit.Jobs, limited, verdict.Time{Of: "the time", Over: true})
	if said != "" {
		return said
	}
	if waiting, kind, waited := w.heldUp(); waited >= short {
		return fmt.Sprintf("Nothing was busy all the time. The crawl waited most for %s: for %s of the time it had this "+
			"to say: %s.", waiting, figure.Percent(waited), kind)
	}
	return fmt.Sprintf("There was no bottleneck: the busiest stage, %s, ran at its limit for %s of the time.",
		busiest.Name, figure.Percent(busiest.Busy))
}

// heldUp is the stage that most often did not run for a reason other than that it had no work, or
// less than it asks for.
func (w *waits) heldUp() (stage, said string, share float64) {
	others := []string{runs_, sched.InputsWait, sched.EnoughWaits, sched.EveryPassed, ready, noManager}
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

// starved says of the first stage that reads what another writes, and often had no input, how long
// that was.
func (w *waits) starved(s *script.Script, from string) string {
	for _, queue := range s.Heir(from).Out {
		for _, reader := range s.Stages {
			none := w.share(reader.Name, sched.InputsWait)
			if reader.Name != from && slices.Contains(reader.In, queue) && none >= short {
				return fmt.Sprintf("; meanwhile %s, which reads what it writes, had no input for %s", reader.Name,
					figure.Percent(none))
			}
		}
	}
	return ""
}
