package sched

import (
	"cmp"
	"fmt"
	"time"

	"multitext/manager/internal/figure"
	"multitext/script"
)

// An Environment contains the facts that are in neither script nor log.
type Environment struct {
	Now      time.Time
	Free     int64  // bytes free in the file system of the crawl's directory
	Stopping string // why no stage may start; "" if stages may start
}

// A Condition is one of the conditions that must all be met before a stage starts.
type Condition struct {
	Name   string    `json:"name"`
	OK     bool      `json:"ok"`
	Figure string    `json:"figure"`         // the measured value and the required value
	Until  time.Time `json:"until,omitzero"` // when time alone will change it; zero if never
	Not    string    `json:"-"`              // what is said if it is not met, instead of Name
}

// A check measures one condition.
type check struct {
	name    string
	not     string // the contrary of name
	measure func(*Table, *stage, *Environment) Condition
}

// The names of the start conditions.
const (
	NotStopping     = "the manager is not stopping"
	InputsWait      = "inputs wait"
	EnoughWaits     = "at least min wait" // it does not apply if nothing else can run
	JobsFree        = "no more than jobs run"
	SlotFree        = "a process slot is free"
	OutputsHaveRoom = "room in the outputs"
	EveryPassed     = "every has passed"
	NotIdle         = "outside idle windows"
	Rested          = "not resting after failures"
	DiskFree        = "enough disk is free"
)

// checks is the only list of start conditions. Next and Conditions both use it.
func checks() []check {
	return []check{
		{NotStopping, "the manager is stopping", notStopping},
		{InputsWait, "no input is ready", inputsWait},
		{EnoughWaits, "less than min waits", enoughWaits},
		{JobsFree, "as many run as jobs allows", jobsFree},
		{SlotFree, "all process slots are taken", slotFree},
		{OutputsHaveRoom, "an output is full", outputsHaveRoom},
		{EveryPassed, "its next time has not come", everyPassed},
		{NotIdle, "this is an idle window", notIdle},
		{Rested, "it rests", rested},
		{DiskFree, "the disk is too full", diskFree},
	}
}

// Conditions measures every start condition of a stage, in the order of the list. It returns nil
// for a stage that is not in the script.
func (t *Table) Conditions(name string, env Environment) []Condition {
	st := t.byName[name]
	if st == nil {
		return nil
	}
	t.advance(env.Now)
	var out []Condition
	for _, c := range checks() {
		cond := c.measure(t, st, &env)
		cond.Name, cond.Not = c.name, c.not
		out = append(out, cond)
	}
	return out
}

// Hindrance returns the first condition of a stage that is not met, and when time alone will change
// it. It returns "" if all conditions are met.
func (t *Table) Hindrance(stage string, env Environment) (why string, until time.Time) {
	for _, c := range t.Conditions(stage, env) {
		if !c.OK {
			return fmt.Sprintf("%s: NO, %s", c.Name, c.Figure), c.Until
		}
	}
	return "", time.Time{}
}

// mayStart reports whether all conditions are met. At a standstill it ignores min.
func (t *Table) mayStart(st *stage, env *Environment, standstill bool) bool {
	for _, c := range checks() {
		if standstill && c.name == EnoughWaits {
			continue
		}
		if !c.measure(t, st, env).OK {
			return false
		}
	}
	return true
}

func notStopping(_ *Table, _ *stage, env *Environment) Condition {
	return Condition{OK: env.Stopping == "", Figure: env.Stopping}
}

func inputsWait(_ *Table, st *stage, _ *Environment) Condition {
	if len(st.In) == 0 {
		return Condition{OK: true, Figure: "it has no inputs and starts by the clock"}
	}
	w := st.waiting()
	return Condition{OK: w.Ready > 0, Figure: fmt.Sprintf("%d ready, %d held, %d set aside", w.Ready, w.Held, w.Aside),
		Until: when(w.Ready == 0, st.nextDue())}
}

func enoughWaits(_ *Table, st *stage, _ *Environment) Condition {
	if st.Min.Zero() {
		return Condition{OK: true, Figure: "none asked for"}
	}
	var bytes int64
	for _, in := range st.inputs {
		bytes += in.bytes
	}
	n := st.waiting().Ready
	c := Condition{OK: n >= st.Min.Batches && bytes >= st.Min.Bytes} // only one of the two is set
	if st.Min.Bytes > 0 {
		c.Figure = fmt.Sprintf("%s of %s", figure.Bytes(bytes), figure.Bytes(st.Min.Bytes))
	} else {
		c.Figure = fmt.Sprintf("%d of %s", n, figure.Count(st.Min.Batches, "batch"))
	}
	c.Figure += "; fewer if nothing else can run"
	return c
}

func jobsFree(_ *Table, st *stage, _ *Environment) Condition {
	return Condition{OK: st.running < st.Jobs, Figure: fmt.Sprintf("%d of %d", st.running, st.Jobs)}
}

func slotFree(t *Table, _ *stage, _ *Environment) Condition {
	limit := t.script.Limit.Jobs
	return Condition{OK: t.running < limit, Figure: fmt.Sprintf("%d of %d in use", t.running, limit)}
}

func outputsHaveRoom(t *Table, st *stage, _ *Environment) Condition {
	for _, name := range st.Out {
		q := t.queues[name]
		switch full := q.Full; {
		case full.Batches > 0 && q.count >= full.Batches:
			return Condition{Figure: fmt.Sprintf("%s holds %s, full at %d",
				name, figure.Count(q.count, "batch"), full.Batches)}
		case full.Bytes > 0 && q.bytes >= full.Bytes:
			return Condition{Figure: fmt.Sprintf("%s holds %s, full at %s",
				name, figure.Bytes(q.bytes), figure.Bytes(full.Bytes))}
		}
	}
	return Condition{OK: true, Figure: "no output is full"}
}

func everyPassed(_ *Table, st *stage, env *Environment) Condition {
	if st.Every == 0 {
		return Condition{OK: true, Figure: "none asked for"}
	}
	last := st.last()
	if last.IsZero() {
		return Condition{OK: true, Figure: "no earlier start counts"}
	}
	next := last.Add(st.Every)
	ok := !env.Now.Before(next) || env.Now.Before(last) // if the clock was set back, nothing is delayed
	return Condition{OK: ok, Figure: fmt.Sprintf("last start %s, every %s", figure.Clock(last, env.Now), st.Every),
		Until: when(!ok, next)}
}

func notIdle(t *Table, _ *stage, env *Environment) Condition {
	for _, w := range t.script.Limit.Idle {
		if w.Contains(env.Now) {
			return Condition{Figure: fmt.Sprintf("in %s", w), Until: w.Ends(env.Now)}
		}
	}
	return Condition{OK: true, Figure: figure.Count(len(t.script.Limit.Idle), "window")}
}

func rested(_ *Table, st *stage, env *Environment) Condition {
	memory := st.memory()
	until := later(memory.Rest, st.refused)
	ok := !until.After(env.Now)
	text := figure.Count(memory.Row, "failure") + " in a row"
	if !ok {
		text = "rests after " + text + " (manager retry ends that)"
	}
	return Condition{OK: ok, Figure: text, Until: when(!ok, until)}
}

// floor is the free space that is required without a limit in the script. The log must always find
// room, or the crawl ends.
const floor = 64 << 20

// LeastFree returns the free space in bytes below which no stage of a script starts.
func LeastFree(s *script.Script) int64 { return cmp.Or(s.Limit.Disk, floor) }

// Disk measures the condition on free disk space, which is the same for all stages.
func (t *Table) Disk(env Environment) Condition { return diskFree(t, nil, &env) }

func diskFree(t *Table, _ *stage, env *Environment) Condition {
	least := LeastFree(t.script)
	return Condition{OK: env.Free >= least,
		Figure: fmt.Sprintf("%s free, want at least %s", figure.Bytes(env.Free), figure.Bytes(least))}
}

func when(set bool, t time.Time) time.Time {
	if set {
		return t
	}
	return time.Time{}
}
