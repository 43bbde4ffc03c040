package txlog

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// decodeRecord makes the record of a line after the checkpoint.
func decodeRecord(body string) (Record, error) {
	l, err := parseLine(body)
	if err != nil {
		return nil, err
	}
	switch l.kind {
	case "commit":
		return decodeCommit(l)
	case "abort":
		return decodeAbort(l)
	}
	return nil, fmt.Errorf("unknown kind of line %q", l.kind)
}

func decodeCommit(l line) (*Commit, error) {
	c := &Commit{Read: -1}
	r := reader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "tx":
			c.Tx = uint64(r.int(0))
		case "stage":
			c.Stage = r.text(0)
		case "read":
			c.Read = r.int(0)
		case "in":
			c.Inputs = append(c.Inputs, r.input())
		case "out":
			c.Outputs = append(c.Outputs, r.output())
		case "state":
			c.State = r.text(0)
		case "segment":
			c.Segments = append(c.Segments, r.output())
		case "replaced":
			c.Replaced = append(c.Replaced, r.name(0))
		case "reason":
			c.Reasons = append(c.Reasons, Count{r.text(0), r.int(1)})
		case "count":
			c.Counts = append(c.Counts, Count{r.text(0), r.int(1)})
		case "note":
			c.Notes = append(c.Notes, r.text(0))
		case "seed":
			c.Seed = r.text(0)
		case "request":
			c.Request = r.text(0)
		case "reset":
			c.Reset = append(c.Reset, Mark{Name: r.nameOrNone(0), Stage: r.text(1)})
		case "forget":
			c.Forget = append(c.Forget, Forgotten{r.text(0), r.text(1)})
		case "gone":
			c.Gone = append(c.Gone, r.name(0))
		default:
			r.run(&c.Run)
		}
	}
	return c, r.err
}

func decodeAbort(l line) (*Abort, error) {
	a := &Abort{}
	r := reader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "tx":
			a.Tx = uint64(r.int(0))
		case "stage":
			a.Stage = r.text(0)
		case "why":
			a.Why = r.text(0)
		case "in":
			a.Inputs = append(a.Inputs, r.input())
		case "mark":
			a.Marks = append(a.Marks, r.mark())
		case "row":
			a.Row = int(r.int(0))
		case "rest":
			a.Rest = r.time(0)
		default:
			r.run(&a.Run)
		}
	}
	return a, r.err
}

// A reader takes typed values out of a field and keeps the first error.
type reader struct {
	f   field
	err error
}

func (r *reader) field(f field) { r.f = f }

func (r *reader) fail(err error) {
	if r.err == nil && err != nil {
		r.err = fmt.Errorf("field %s: %w", r.f.key, err)
	}
}

func (r *reader) text(i int) string {
	if i >= len(r.f.values) {
		r.fail(fmt.Errorf("%d values, want more", len(r.f.values)))
		return ""
	}
	return r.f.values[i]
}

func (r *reader) int(i int) int64 {
	n, err := strconv.ParseInt(r.text(i), 10, 64)
	r.fail(err)
	return n
}

func (r *reader) time(i int) time.Time {
	t, err := parseTime(r.text(i))
	r.fail(err)
	return t
}

func (r *reader) name(i int) Name {
	n := Name(r.text(i))
	r.fail(n.check())
	return n
}

func (r *reader) nameOrNone(i int) Name {
	if r.text(i) == "" {
		return ""
	}
	return r.name(i)
}

// flags takes the words of a value, each of which it must know.
func (r *reader) flags(i int, known map[string]*bool) {
	text := r.text(i)
	for w := range strings.SplitSeq(text, ",") {
		if set := known[w]; set != nil {
			*set = true
		} else if text != "" {
			r.unknown()
		}
	}
}

func (r *reader) input() Input {
	return Input{Name: r.name(0), Records: r.int(1), Gone: r.text(2) == "gone"}
}

func (r *reader) output() Output {
	o := Output{Name: r.name(0), Size: r.int(1), Hash: r.text(2), Records: r.int(3), Due: r.time(5)}
	r.flags(4, map[string]*bool{"made": &o.Made, "export": &o.Export})
	return o
}

func (r *reader) mark() Mark {
	m := Mark{Name: r.name(0), Stage: r.text(1), Fails: int(r.int(2)), Laters: int(r.int(3)), Until: r.time(4)}
	r.flags(5, map[string]*bool{"alone": &m.Alone, "aside": &m.Aside})
	return m
}

// run takes the fields that tell how a stage ran.
func (r *reader) run(run *Run) {
	switch r.f.key {
	case "start":
		run.Start = r.time(0)
	case "end":
		run.End = r.time(0)
	case "cpu_us":
		run.CPU = time.Duration(r.int(0)) * time.Microsecond
	case "mem":
		run.Memory = r.int(0)
	case "exit":
		run.Exit = r.text(0)
	case "run":
		run.Command = r.f.values
	case "stderr":
		run.Stderr = r.text(0)
	default:
		r.unknown()
	}
}

// unknown refuses the field: a newer program wrote it, and its meaning may
// change what is live.
func (r *reader) unknown() { r.fail(errors.New("unknown to this version of the log")) }
