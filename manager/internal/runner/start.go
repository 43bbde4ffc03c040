package runner

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"multitext/manager/internal/judge"
	"multitext/manager/internal/proc"
	"multitext/manager/internal/sched"
	"multitext/manager/internal/workdir"
	"multitext/txlog"
)

// A run is a stage at work on its inputs.
type run struct {
	take     *sched.Take
	number   uint64
	tx       *workdir.Tx
	record   txlog.Run
	inputs   []txlog.Input
	segments []txlog.Name // that it reads
	process  *proc.Process
	timedOut atomic.Bool
}

func (r *run) names() []txlog.Name {
	names := make([]txlog.Name, len(r.inputs))
	for i, in := range r.inputs {
		names[i] = in.Name
	}
	return names
}

// ended is the event of a run's end.
type ended struct {
	run     *run
	result  proc.Result
	verdict *judge.Verdict
	err     error // of waiting or judging: the run's
	machine error // of making its files durable: nobody's
}

// start begins a transaction. If the program cannot be started, or its files cannot be checked, no
// input is charged. An input that is gone is set aside; for a segment that is gone the stage rests.
func (c *runner) start(k *sched.Take) error {
	r := &run{take: k}
	for _, b := range k.Batches() {
		r.inputs = append(r.inputs, txlog.Input{Name: b.Name, Records: b.Records})
	}
	err := c.present(r)
	r.number = c.Log.Number()
	if err == nil {
		err = c.launch(r)
	}
	if err != nil {
		r.record = txlog.Run{Start: time.Now(), End: time.Now()}
		return c.abort(r, cannotStart(err))
	}
	c.runs[r.number] = r
	go c.await(r)
	return nil
}

// present checks that the inputs and segments are there with their size.
func (c *runner) present(r *run) error {
	var files []txlog.Output
	for _, b := range r.take.Batches() {
		files = append(files, b.Output)
	}
	for _, read := range statesOf(r.take.Stage) {
		for _, s := range c.state.Segments(read.State) {
			if !slices.Contains(r.segments, s.Name) { // of a state that is read by two names
				files = append(files, s)
				r.segments = append(r.segments, s.Name)
			}
		}
	}
	l := &lost{}
	for i, f := range files {
		what, err := workdir.Amiss(c.Dir.Path(string(f.Name)), f)
		if err != nil {
			return err
		}
		if what == "" {
			continue
		}
		l.what = append(l.what, string(f.Name)+" "+what)
		if i < len(r.inputs) { // segments are behind them
			l.inputs = append(l.inputs, f.Name)
		}
	}
	if l.what != nil {
		return l
	}
	return nil
}

// A lost error tells of files that went while the manager runs.
type lost struct {
	inputs []txlog.Name
	what   []string
}

func (l *lost) Error() string {
	return strings.Join(l.what, ", ") + "; put it back from a copy, or let go of it with manager drop"
}

// launch makes the run's directory and starts its program.
func (c *runner) launch(r *run) error {
	st := r.take.Stage
	tx, err := c.Dir.Begin(r.number, st.Out, st.State)
	if err != nil {
		return err
	}
	r.tx = tx
	fill, err := c.placeholders(r)
	if err != nil {
		return err
	}
	r.record.Shown = shown(st)
	r.record.Start = time.Now()
	r.record.Command = st.Argv(fill.briefly)
	err = tx.WriteRun(workdir.RunFile{Stage: st.Name, Epoch: c.state.Epoch(), Inputs: r.names(),
		Command: r.record.Command, Start: r.record.Start})
	if err != nil {
		return err
	}
	stderr, err := tx.Stderr()
	if err != nil {
		return err
	}
	defer stderr.Close()
	r.process, err = proc.Start(proc.Spec{Argv: st.Argv(fill.value), Dir: c.Script.Folder, Env: fill.env(),
		Stdout: stderr, Stderr: stderr, Mark: fill.mark(), Lock: c.Dir.File()})
	if err != nil {
		return err
	}
	// The number is for people: the run is as good without it, and it runs by now.
	_ = tx.AddPid(r.process.Pid)
	return nil
}

// await waits for the run's end, judges it and makes its files durable.
func (c *runner) await(r *run) {
	ev := &ended{run: r}
	ev.result, ev.err = r.wait()
	r.record.End = time.Now()
	r.shownAlike()
	if ev.err == nil && ev.result.Code == 0 {
		ev.verdict, ev.err = c.judge(r)
	}
	if ev.err == nil && ev.verdict != nil {
		ev.seal()
	}
	if ev.err != nil || ev.result.Code != 0 {
		c.awaitSignal()
	}
	c.events <- ev
}

func (c *runner) judge(r *run) (*judge.Verdict, error) {
	return judge.Judge(&judge.Case{
		Tx: r.tx, Script: c.Script, Stage: r.take.Stage, Inputs: r.inputs, Segments: r.segments})
}

// seal makes the run's files durable, unless it left them where they cannot be renamed from.
func (ev *ended) seal() {
	err := ev.run.tx.Seal(ev.verdict.Files)
	if unmovable := new(workdir.Unmovable); errors.As(err, &unmovable) {
		ev.err = err
	} else {
		ev.machine = err
	}
}

// toldWithin is how long after the failure of a run the signal may arrive that ended it: systemd
// and a shutdown send a signal to every process, in any order.
const toldWithin = 200 * time.Millisecond

func (c *runner) awaitSignal() {
	select {
	case <-time.After(toldWithin):
	case <-c.halted:
	}
}

// wait waits for the program, and ends it when its time is over.
func (r *run) wait() (proc.Result, error) {
	if t := r.take.Stage.Timeout; t > 0 {
		timer := time.AfterFunc(t, func() {
			r.timedOut.Store(true)
			r.process.End(grace)
		})
		defer timer.Stop()
	}
	return r.process.Wait()
}
