package txlog

import (
	"fmt"
	"time"
)

// A decoder makes records of lines. One that is brief uses the last record again for
// the next, and leaves out what stages were told and said.
type decoder struct {
	reader
	brief  bool
	commit Commit
	abort  Abort
}

// record makes the record of a line after the checkpoint.
func (d *decoder) record(body []byte) (Record, error) {
	d.begin(body)
	switch string(d.kind) {
	case "commit":
		return d.newCommit(), d.end()
	case "abort":
		return d.newAbort(), d.end()
	}
	return nil, fmt.Errorf("unknown kind of line %q", d.kind)
}

func (d *decoder) newCommit() *Commit {
	c := &d.commit
	if !d.brief {
		c = &Commit{}
	}
	*c = Commit{Inputs: c.Inputs[:0], Outputs: c.Outputs[:0], Segments: c.Segments[:0], Reasons: c.Reasons[:0], Counts: c.Counts[:0], Because: c.Because[:0]}
	c.Read = -1
	for d.next() {
		d.commitField(c)
	}
	return c
}

func (d *decoder) commitField(c *Commit) {
	switch string(d.key) {
	case "tx":
		c.Tx = uint64(d.int())
	case "stage":
		c.Stage = d.word()
	case "read":
		c.Read = d.int()
	case "in":
		c.Inputs = append(c.Inputs, d.input())
	case "out":
		c.Outputs = append(c.Outputs, d.output())
	case "state":
		c.State = d.word()
	case "segment":
		c.Segments = append(c.Segments, d.output())
	case "replaced":
		c.Replaced = append(c.Replaced, d.name())
	case "reason":
		c.Reasons = append(c.Reasons, Count{d.word(), d.int()})
	case "count":
		c.Counts = append(c.Counts, Count{d.word(), d.int()})
	case "because":
		c.Because = append(c.Because, d.because())
	case "note":
		c.Notes = append(c.Notes, d.text())
	case "seed":
		c.Seed = d.text()
	case "request":
		c.Request = d.text()
	case "part":
		c.Part = Count{d.text(), d.int()}
	case "reset":
		c.Reset = append(c.Reset, Mark{Name: d.nameOrNone(), Stage: d.word()})
	case "forget":
		c.Forget = append(c.Forget, Forgotten{d.word(), d.text()})
	case "gone":
		c.Gone = append(c.Gone, d.liveName())
	case "export":
		c.Export = d.text()
	case "was":
		c.Was = Renamed{d.text(), d.text()}
	default:
		d.run(&c.Run)
	}
}

func (d *decoder) newAbort() *Abort {
	a := &d.abort
	if !d.brief {
		a = &Abort{}
	}
	*a = Abort{Inputs: a.Inputs[:0], Marks: a.Marks[:0]}
	for d.next() {
		d.abortField(a)
	}
	return a
}

func (d *decoder) abortField(a *Abort) {
	switch string(d.key) {
	case "tx":
		a.Tx = uint64(d.int())
	case "stage":
		a.Stage = d.word()
	case "why":
		a.Why = d.text()
	case "in":
		a.Inputs = append(a.Inputs, d.input())
	case "mark":
		a.Marks = append(a.Marks, d.mark())
	case "row":
		a.Row = int(d.int())
	case "rest":
		a.Rest = d.time()
	default:
		d.run(&a.Run)
	}
}

// run takes the fields that tell how a stage ran.
func (d *decoder) run(run *Run) {
	switch string(d.key) {
	case "start":
		run.Start = d.time()
	case "end":
		run.End = d.time()
	case "cpu_us":
		run.CPU = time.Duration(d.int()) * time.Microsecond
	case "mem":
		run.Memory = d.int()
	case "exit":
		run.Exit = d.word()
	case "run":
		if d.brief {
			d.skip()
		} else {
			run.Command = d.words()
		}
	case "shown":
		if d.brief {
			d.skip()
		} else {
			run.Shown = append(run.Shown, Shown{d.word(), d.text()})
		}
	case "stderr":
		if text := d.take(); !d.brief {
			run.Stderr = string(text)
		}
	default:
		d.unknown()
	}
}

func (r *reader) input() Input {
	return Input{Name: r.liveName(), Records: r.int(), Gone: r.either("gone", "kept")}
}

func (r *reader) output() (o Output) {
	o.Name, o.Size, o.Hash, o.Records = r.name(), r.int(), r.text(), r.int()
	r.flags(func(flag []byte) bool {
		switch string(flag) {
		case "made":
			o.Made = true
		case "export":
			o.Export = true
		default:
			return false
		}
		return true
	})
	o.Due = r.time()
	return o
}

func (r *reader) because() Because { return Because{r.word(), r.int(), r.text(), r.text()} }

func (r *reader) mark() (m Mark) {
	m.Name, m.Stage, m.Fails, m.Laters, m.Until = r.liveName(), r.word(), int(r.int()), int(r.int()), r.time()
	r.flags(func(flag []byte) bool {
		switch string(flag) {
		case "alone":
			m.Alone = true
		case "aside":
			m.Aside = true
		default:
			return false
		}
		return true
	})
	return m
}
