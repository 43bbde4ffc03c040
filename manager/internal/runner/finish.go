package runner

import (
	"fmt"
	"strings"
	"time"

	"multitext/manager/internal/crawl"
	"multitext/manager/internal/fault"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

const (
	stderrInLog = 4 << 10 // bytes of stderr in a line of the log
	tryLater    = 75      // exit code (EX_TEMPFAIL): try later; counts against no input
	badCommand  = 2       // exit code: the command is wrong, independent of the inputs
)

// handle commits or aborts a run that has ended.
func (ev *ended) handle(c *runner) error {
	r := ev.run
	delete(c.runs, r.number)
	r.record.Exit, r.record.CPU, r.record.Memory = ev.result.Exit, ev.result.CPU, ev.result.Memory
	r.record.Stderr = workdir.Tail(r.tx.File("stderr"), stderrInLog)
	var err error
	if why := c.judgeExit(ev); why.reason == "" {
		err = c.commit(ev)
	} else {
		err = c.abort(r, why)
	}
	if err != nil {
		return err
	}
	if err := c.removeReplaced(); err != nil {
		return err
	}
	if !c.Log.Full() {
		return nil
	}
	if err := c.Log.Checkpoint(); err != nil {
		return err
	}
	return c.Trim()
}

// A cause is the reason why a run does not commit.
type cause struct {
	reason  string
	later   bool // exit 75
	machine bool // the machine failed, not the run
	charged bool
	command bool         // exit 2: the command is wrong
	gone    []txlog.Name // inputs to be set aside
}

// judgeExit returns the cause for the way in which the run ended. The zero cause means a commit.
func (c *runner) judgeExit(ev *ended) cause {
	switch {
	case ev.result.Code == 0 && ev.err == nil && ev.machine == nil:
		return cause{}
	case c.killed && ev.result.Code != 0:
		return cause{reason: txlog.WhyStopped}
	case !c.table.Disk(c.environment()).OK:
		return cause{reason: "the disk is full", machine: true}
	case ev.machine != nil:
		return cause{reason: "its files could not be made durable: " + ev.machine.Error(), machine: true}
	case ev.run.timedOut.Load():
		ev.run.record.Exit = "timeout"
		return cause{reason: fmt.Sprintf("not done after its timeout of %s", ev.run.take.Stage.Timeout), charged: true}
	case c.stopping != "" && c.stopCode == crawl.ExitStopped:
		return cause{reason: txlog.WhyStopped} // stopped together with the manager; see awaitSignal
	case ev.err != nil:
		machine := fault.Machine(ev.err)
		return cause{reason: ev.err.Error(), machine: machine, charged: !machine}
	case ev.result.Code == tryLater:
		return cause{reason: txlog.WhyLater, later: true}
	case ev.result.Code == badCommand && !ev.run.crashed():
		return cause{command: true,
			reason: "exit 2: its command is wrong, or a file that it names is wrong; this counts against no input"}
	}
	reason := "exit " + ev.result.Exit
	if ev.run.take.Stage.Program == "bash" && ev.result.Code == 1 && ev.run.record.Stderr == "" {
		reason += foundNothing
	}
	return cause{reason: reason, charged: true}
}

// crashed reports whether the inputs may have caused an exit code 2. In bash, any command may have
// caused it. A Go program exits with 2 if its runtime aborts, for instance after a stack overflow.
// Then each frame of its stack trace ends with the offset in a function.
func (r *run) crashed() bool {
	said := r.record.Stderr
	return r.take.Stage.Program == "bash" || strings.Contains(said, ".go:") && strings.Contains(said, " +0x")
}

// foundNothing explains the usual cause of exit code 1 with an empty stderr in a shell stage.
const foundNothing = " without a message (in a shell stage the usual cause is a grep that found nothing; " +
	"sed -n /…/p and awk exit with 0 then)"

// commit commits the run, moves its outputs into their queues, and removes what remains.
func (c *runner) commit(ev *ended) error {
	r, rec := ev.run, &ev.verdict.Commit
	rec.Run = r.record
	c.leaveOutKnown(rec)
	for i, b := range r.take.Batches() {
		rec.Inputs[i].Gone = !crawl.Owed(c.Script.Queue(b.Name.Queue()), b, r.take.Stage.Name)
	}
	if err := c.Settle(rec); err != nil {
		return err
	}
	delete(c.streaks, r.take.Stage.Name)
	c.replaced = append(c.replaced, rec.Replaced...)
	c.table.Committed(r.take)
	now := time.Now()
	for _, o := range rec.Outputs {
		if b := c.state.Batch(o.Name); b != nil {
			c.table.Add(b, now)
		}
	}
	c.pace.Add(rec.Stage, rec.Run.End, rec.Read)
	c.out.Committed(rec)
	for queue, what := range ev.verdict.Misnamed {
		if !c.misnamed[queue] {
			c.misnamed[queue] = true
			c.out.Line(what + ": programs that rely on the name will fail; " +
				"set the extension, as in ext = \"txt\" in [queue." + queue + "], " +
				"or compress them, as with | zstd")
		}
	}
	return nil
}

// leaveOutKnown removes the examples that the log contains already, because the log keeps them
// forever.
func (c *runner) leaveOutKnown(rec *txlog.Commit) {
	known := c.state.Stage(rec.Stage).Because
	for i, b := range rec.Because {
		if known[b.Name].Example != "" {
			rec.Because[i].Example, rec.Because[i].Remedy = "", ""
		}
	}
}

// removeReplaced removes the replaced segments that no run is reading any more. After a crash no
// run is left, and recovery removes them all.
func (c *runner) removeReplaced() error {
	used := c.replaced[:0]
	for _, name := range c.replaced {
		if c.readerOf(name) > 0 {
			used = append(used, name)
		} else if err := c.Remove(name); err != nil {
			return err
		}
	}
	c.replaced = used
	return nil
}
