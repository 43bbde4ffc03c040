package runner

import (
	"slices"
	"testing"
	"time"

	"multitext/manager/internal/sched"
	"multitext/txlog"
)

// A run that a crash cuts off was none: the next start begins it again, and its every does
// not hold it back, whether or not a checkpoint was made while it ran. As long as it runs,
// it does, also when requests were answered meanwhile.
func TestEveryKnowsNoCheckpoint(t *testing.T) {
	for _, checkpoint := range []bool{false, true} {
		w := newWorld(t, copyStage+"every = \"1h\"\njobs = 2\n")
		c := w.open()
		w.Must(c.Begin(c.out.Line))
		c.rebuild()
		k := c.table.Next(c.environment())
		inputs := []txlog.Input{{Name: k.Batches()[0].Name}}
		c.runs[7] = &run{take: k, inputs: inputs, record: txlog.Run{Start: time.Now()}}
		for range 2 {
			if passed(c.table, c.environment()) {
				t.Error("beside a run that has just begun another may start")
			}
			c.rebuild()
		}
		if checkpoint {
			w.Must(c.Log.Checkpoint())
		}
		rp, err := txlog.Load(w.Path("log"))
		w.Must(err)
		if next := sched.New(w.Script, rp.State, nil, time.Now()); !passed(next, c.environment()) {
			t.Errorf("checkpoint %v: after a crash the stage waits for an hour", checkpoint)
		}
		if known := rp.State.Stages(); len(known) > 0 {
			t.Errorf("checkpoint %v: the log remembers %q, and no run has ended", checkpoint, known)
		}
	}
}

func passed(t *sched.Table, env sched.Environment) bool {
	return slices.ContainsFunc(t.Conditions("one", env), func(c sched.Condition) bool {
		return c.Name == "every has passed" && c.OK
	})
}
