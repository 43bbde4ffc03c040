package view

import (
	"fmt"
	"io"
	"time"

	"multitext/manager/internal/figure"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/terminal"
	"multitext/manager/internal/workdir"
)

// A Why contains the reasons why a stage is or is not started.
type Why struct {
	Stage      string            `json:"stage"`
	Manager    *workdir.Held     `json:"manager"` // null if no manager runs, and nothing starts
	Running    []UnderWay        `json:"running"`
	Starts     bool              `json:"starts"` // every condition for one more run is met
	Conditions []sched.Condition `json:"conditions"`

	now time.Time
	run string
}

// Why measures the start conditions of a stage. run is the command line that starts a manager for
// this crawl.
func (c *Crawl) Why(stage, run string) *Why {
	y := &Why{Stage: stage, Manager: c.Holder, Running: c.running(stage), Starts: c.Holder != nil,
		Conditions: c.table.Conditions(stage, c.env), now: c.Now, run: run}
	for _, k := range y.Conditions {
		y.Starts = y.Starts && k.OK
	}
	return y
}

// Print writes the reasons for people.
func (y *Why) Print(w io.Writer) {
	t := terminal.NewTable(w)
	for _, k := range y.Conditions {
		verdict, measured := "ok", k.Figure
		if !k.OK {
			verdict = "NO"
		}
		if !k.Until.IsZero() {
			measured += ", until " + figure.Until(k.Until, y.now)
		}
		t.Row(verdict, k.Name, measured)
	}
	t.Flush()
	writeRunning(w, y.Stage, y.Running, y.now)
	switch {
	case y.Manager == nil:
		fmt.Fprintf(w, "no manager runs the crawl: start it with %s\n", y.run)
	case y.Starts:
		terminal.Line(w, "%s starts when its turn comes", y.Stage)
	}
}
