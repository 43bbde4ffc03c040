package txlog

import (
	"strconv"
	"strings"
)

func (c *Commit) body() []byte {
	b := newLine("commit")
	b.add("tx", itoa(int64(c.Tx))).addText("stage", c.Stage)
	b.addRun(&c.Run)
	b.addInt("read", c.Read)
	b.addInputs(c.Inputs)
	for _, o := range c.Outputs {
		b.add("out", o.values()...)
	}
	b.addText("state", c.State)
	for _, o := range c.Segments {
		b.add("segment", o.values()...)
	}
	b.addNames("replaced", c.Replaced)
	b.addCounts("reason", c.Reasons)
	b.addCounts("count", c.Counts)
	for _, r := range c.Because {
		b.add("because", r.values()...)
	}
	for _, n := range c.Notes {
		b.add("note", n)
	}
	b.addText("seed", c.Seed).addText("request", c.Request)
	if c.Part.Name != "" {
		b.addCounts("part", []Count{c.Part})
	}
	for _, m := range c.Reset {
		b.add("reset", string(m.Name), m.Stage)
	}
	for _, f := range c.Forget {
		b.add("forget", f.Kind, f.Name)
	}
	b.addNames("gone", c.Gone)
	b.addText("export", c.Export)
	if c.Was.From != "" {
		b.add("was", c.Was.From, c.Was.To)
	}
	b.addText("stderr", c.Run.Stderr)
	return b.buf
}

func (a *Abort) body() []byte {
	b := newLine("abort")
	b.add("tx", itoa(int64(a.Tx))).addText("stage", a.Stage)
	b.addRun(&a.Run)
	b.addText("why", a.Why)
	b.addInputs(a.Inputs)
	for _, m := range a.Marks {
		b.add("mark", m.values()...)
	}
	if a.Row > 0 {
		b.addInt("row", int64(a.Row))
	}
	b.addTime("rest", a.Rest)
	b.addText("stderr", a.Run.Stderr)
	return b.buf
}

func (b *builder) addRun(r *Run) {
	b.addTime("start", r.Start).addTime("end", r.End)
	if r.CPU > 0 {
		b.addInt("cpu_us", r.CPU.Microseconds())
	}
	if r.Memory > 0 {
		b.addInt("mem", r.Memory)
	}
	b.addText("exit", r.Exit).add("run", r.Command...)
	for _, s := range r.Shown {
		b.add("shown", s.Name, s.Hash)
	}
}

func (b *builder) addInputs(inputs []Input) {
	for _, in := range inputs {
		fate := "kept"
		if in.Gone {
			fate = "gone"
		}
		b.add("in", string(in.Name), itoa(in.Records), fate)
	}
}

func (b *builder) addNames(key string, names []Name) {
	for _, n := range names {
		b.add(key, string(n))
	}
}

func (b *builder) addCounts(key string, counts []Count) {
	for _, c := range counts {
		b.add(key, c.Name, itoa(c.N))
	}
}

func (o *Output) values() []string {
	return []string{string(o.Name), itoa(o.Size), o.Hash, itoa(o.Records), words(
		word{o.Made, "made"}, word{o.Export, "export"}), formatTime(o.Due)}
}

func (b *Because) values() []string { return []string{b.Name, itoa(b.N), b.Example, b.Remedy} }

func (m *Mark) values() []string {
	return []string{string(m.Name), m.Stage, itoa(int64(m.Fails)), itoa(int64(m.Laters)),
		formatTime(m.Until), words(word{m.Alone, "alone"}, word{m.Aside, "aside"})}
}

// A word stands in a value where it is set.
type word struct {
	set  bool
	text string
}

func words(all ...word) string {
	var set []string
	for _, w := range all {
		if w.set {
			set = append(set, w.text)
		}
	}
	return strings.Join(set, ",")
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
