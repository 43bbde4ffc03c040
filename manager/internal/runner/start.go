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

// A run is a stage in progress, with its inputs.
type run struct {
	take     *sched.Take
	number   uint64
	tx       *workdir.Tx
	record   txlog.Run
	inputs   []txlog.Input
	segments []txlog.Name // the segments that it reads
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

// ended is the event that a run has ended.
type ended struct {
	run     *run
	result  proc.Result
	verdict *judge.Verdict
	err     error // error of waiting or judging; a failure of the run
	machine error // error of making its files durable; not a failure of the run
}

// start begins a transaction. If the program cannot be started, or its files cannot be checked, the
// failure counts against no input. If an input is missing, it is set aside. If a segment is
// missing, the stage rests.
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

// present checks that the inputs and segments exist and have the right size.
func (c *runner) present(r *run) error {
	var files []txlog.Output
	for _, b := range r.take.Batches() {
		files = append(files, b.Output)
	}
	for _, read := range statesOf(r.take.Stage) {
		for _, s := range c.state.Segments(read.State) {
			if !slices.Contains(r.segments, s.Name) { // a state may be read under two names
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
		if i < len(r.inputs) { // the segments follow the inputs
			l.inputs = append(l.inputs, f.Name)
		}
	}
	if l.what != nil {
		return l
	}
	return nil
}

// A lost is an error about files that disappeared while the manager runs.
type lost struct {
	inputs []txlog.Name
	what   []string
}

func (l *lost) Error() string {
	return strings.Join(l.what, ", ") + "; restore it from a copy, or remove it with manager drop"
}

// launch creates the run's directory and starts its program.
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
	// Only people need the process number. The run is valid without it, and has started by now.
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

// seal makes the run's files durable. If they cannot be renamed from where the run left them, this
// is a failure of the run.
func (ev *ended) seal() {
	err := ev.run.tx.Seal(ev.verdict.Files)
	if unmovable := new(workdir.Unmovable); errors.As(err, &unmovable) {
		ev.err = err
	} else {
		ev.machine = err
	}
}

// toldWithin is the time after the failure of a run in which a signal to the manager explains the
// failure. systemd and a shutdown send a signal to every process, in any order.
const toldWithin = 200 * time.Millisecond

func (c *runner) awaitSignal() {
	select {
	case <-time.After(toldWithin):
	case <-c.halted:
	}
}

// wait waits for the program, and kills it after its timeout.
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
