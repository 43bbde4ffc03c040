package txlog

import (
	"fmt"
	"time"
)

// encode returns the body of a record's line.
func encode(r Record) []byte { return compose(r.kind(), r.fields) }

// decode returns the record of a line after the checkpoint.
func decode(body []byte) (Record, error) {
	var r Record
	switch kind := kindOf(body); kind {
	case "commit":
		r = &Commit{Read: -1}
	case "abort":
		r = &Abort{}
	default:
		return nil, fmt.Errorf("unknown kind of line %q", kind)
	}
	return r, parse(body, r.fields)
}

func (k *Commit) kind() string { return "commit" }

func (k *Commit) fields(c *codec) {
	numberField(c, "tx", &k.Tx, true)
	c.textField("stage", &k.Stage)
	k.Run.fields(c)
	numberField(c, "read", &k.Read, true)
	list(c, "in", &k.Inputs, (*Input).values)
	list(c, "out", &k.Outputs, (*Output).values)
	c.textField("state", &k.State)
	list(c, "segment", &k.Segments, (*Output).values)
	list(c, "replaced", &k.Replaced, (*Name).values)
	list(c, "reason", &k.Reasons, (*Count).values)
	list(c, "count", &k.Counts, (*Count).values)
	list(c, "gauge", &k.Gauges, (*Count).values)
	list(c, "because", &k.Because, (*Because).values)
	list(c, "note", &k.Notes, func(s *string, c *codec) { c.text(s) })
	c.textField("seed", &k.Seed)
	c.textField("request", &k.Request)
	if c.field("part", k.Part.Name != "") {
		k.Part.values(c)
	}
	list(c, "reset", &k.Reset, func(m *Mark, c *codec) { c.nameOrNone(&m.Name); c.text(&m.Stage) })
	list(c, "forget", &k.Forget, func(f *Forgotten, c *codec) { c.text(&f.Kind); c.text(&f.Name) })
	list(c, "gone", &k.Gone, (*Name).values)
	c.textField("export", &k.Export)
	if c.field("was", k.Was.From != "") {
		c.text(&k.Was.From)
		c.text(&k.Was.To)
	}
	c.textField("stderr", &k.Run.Stderr)
}

func (a *Abort) kind() string { return "abort" }

func (a *Abort) fields(c *codec) {
	numberField(c, "tx", &a.Tx, true)
	c.textField("stage", &a.Stage)
	a.Run.fields(c)
	c.textField("why", &a.Why)
	list(c, "in", &a.Inputs, (*Input).values)
	list(c, "mark", &a.Marks, (*Mark).values)
	numberField(c, "row", &a.Row, a.Row > 0)
	c.timeField("rest", &a.Rest)
	c.textField("stderr", &a.Run.Stderr)
}

// fields writes or reads all fields but stderr, which is the longest and the last in a line.
func (r *Run) fields(c *codec) {
	c.timeField("start", &r.Start)
	c.timeField("end", &r.End)
	c.durationField("cpu_us", &r.CPU, time.Microsecond, r.CPU > 0)
	numberField(c, "mem", &r.Memory, r.Memory > 0)
	c.textField("exit", &r.Exit)
	c.textsField("run", &r.Command)
	list(c, "shown", &r.Shown, func(s *Shown, c *codec) { c.text(&s.Name); c.text(&s.Hash) })
}

func (in *Input) values(c *codec) {
	c.name(&in.Name)
	number(c, &in.Records)
	c.either(&in.Gone, "gone", "kept")
}

func (o *Output) values(c *codec) {
	c.name(&o.Name)
	number(c, &o.Size)
	c.text(&o.Hash)
	number(c, &o.Records)
	c.flags(word{&o.Made, "made"}, word{&o.Export, "export"}, word{&o.Latest, "latest"},
		word{&o.Product, "product"})
	c.time(&o.Due)
}

func (m *Mark) values(c *codec) {
	c.name(&m.Name)
	c.text(&m.Stage)
	number(c, &m.Fails)
	number(c, &m.Laters)
	c.time(&m.Until)
	c.flags(word{&m.Alone, "alone"}, word{&m.Aside, "aside"})
}

func (n *Name) values(c *codec) { c.name(n) }

func (n *Count) values(c *codec) {
	c.text(&n.Name)
	number(c, &n.N)
}

func (b *Because) values(c *codec) {
	c.text(&b.Name)
	number(c, &b.N)
	c.text(&b.Example)
	c.text(&b.Remedy)
}
