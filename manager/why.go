package main

import (
	"flag"
	"fmt"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/figure"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/view"
)

const whyHelp = `Measures every condition that must hold for the stage to start, or to start once
more where it runs, with the list that the scheduler itself goes by, and says which
runs are under way. Two things only the running manager knows, so
they are missing here: that it is stopping, and that a stage rests because its
program could not be started.`

func whyVerb(m *invocation, fs *flag.FlagSet) func([]string) (int, error) {
	asJSON := fs.Bool("json", false, "print JSON")
	return func(args []string) (int, error) {
		if len(args) != 2 {
			return crawl.ExitBad, fmt.Errorf("%w: want a script and a stage, got %d arguments", errUsage, len(args))
		}
		c, code, err := m.look(args[0])
		if err != nil {
			return code, err
		}
		if err := known("stage", args[1], c.Script.StageNames()); err != nil {
			return crawl.ExitBad, err
		}
		e := explain(c, args[1])
		if *asJSON {
			return crawl.ExitDone, printJSON(m.out, e)
		}
		m.printWhy(e, c)
		return crawl.ExitDone, nil
	}
}

// An explanation lists why a stage is or is not started.
type explanation struct {
	Stage      string          `json:"stage"`
	Manager    *view.Manager   `json:"manager"` // null where none runs: then nothing starts
	Running    []view.UnderWay `json:"running"`
	Starts     bool            `json:"starts"` // every condition for one more run holds
	Conditions []condition     `json:"conditions"`
}

type condition struct {
	Name   string    `json:"name"`
	OK     bool      `json:"ok"`
	Figure string    `json:"figure"`
	Until  time.Time `json:"until,omitzero"`
}

func explain(c *view.Crawl, stage string) *explanation {
	e := &explanation{Stage: stage, Running: c.Running(stage), Starts: c.Holder != nil}
	if c.Holder != nil {
		e.Manager = &view.Manager{Pid: c.Holder.Pid, Since: c.Holder.Since}
	}
	for _, k := range c.Conditions(stage) {
		e.Conditions = append(e.Conditions, condition(k))
		e.Starts = e.Starts && k.OK
	}
	return e
}

func (m *invocation) printWhy(e *explanation, c *view.Crawl) {
	t := terminal.NewTable(m.out)
	for _, k := range e.Conditions {
		verdict := "ok"
		if !k.OK {
			verdict = "NO"
		}
		measured := k.Figure
		if !k.Until.IsZero() {
			measured += ", until " + figure.Until(k.Until, c.Now)
		}
		t.Row(verdict, k.Name, measured)
	}
	t.Flush()
	writeRunning(m.out, e.Stage, e.Running, c.Now)
	switch {
	case e.Manager == nil:
		fmt.Fprintf(m.out, "no manager runs the crawl: start it with %s\n", m.call("run", terminal.Near(c.Script.Path)))
	case e.Starts:
		terminal.Line(m.out, "%s starts when its turn comes", e.Stage)
	}
}
