package txlog

import (
	"fmt"
	"time"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

// A checkpoint writes a state into a log line by line. The files to remove may be many, so only one
// of their lines is in memory at a time. The order does not depend on the order of map entries: the
// same state always yields the same bytes.
type checkpoint struct {
	*State
	lines int64
	put   func(body []byte)
}

func (k *checkpoint) line(kind string, fields func(*codec)) {
	k.put(compose(kind, fields))
	k.lines++
}

func (k *checkpoint) write() {
	k.line("log", k.head)
	for _, name := range sortedKeys(k.batches) {
		k.line("batch", k.batches[name].fields)
	}
	for _, state := range sortedKeys(k.segments) {
		for _, o := range k.segments[state] {
			k.line("segment", func(c *codec) { segmentFields(c, &state, &o) })
		}
	}
	for _, name := range sortedKeys(k.stages) {
		k.line("stage", func(c *codec) { k.stages[name].fields(c, &name) })
	}
	for _, name := range sortedKeys(k.queues) {
		k.line("queue", func(c *codec) { k.queues[name].fields(c, &name) })
	}
	stages := map[string][]string{}
	for _, r := range k.Readings() {
		stages[r.Queue] = append(stages[r.Queue], r.Stage)
	}
	for _, queue := range sortedKeys(stages) {
		readers := stages[queue]
		k.line("readers", func(c *codec) { readersFields(c, &queue, &readers) })
	}
	writeSet(k, "seed", "key", k.seeds)
	writeSet(k, "request", "id", k.toClear)
	for _, id := range sortedKeys(k.parts) {
		//failpoint:parts-forgotten break
		done := k.parts[id]
		k.line("part", func(c *codec) { partFields(c, &id, &done) })
	}
	writeSet(k, "remove", "file", k.toRemove)
	writeSet(k, "place", "file", k.toPlace)
	lines := k.lines + 1
	k.line("end", func(c *codec) { numberField(c, "lines", &lines, true) })
}

func writeSet[T ~string](k *checkpoint, kind, key string, set map[T]bool) {
	for _, member := range sortedKeys(set) {
		text := string(member)
		k.line(kind, func(c *codec) { c.field(key, true); c.text(&text) })
	}
}

func readMember[T ~string](set map[T]bool, is bool, body []byte, key string, value func(*codec, *T)) error {
	var member T
	err := parse(body, func(c *codec) {
		if c.field(key, true) {
			value(c, &member)
		}
	})
	set[member] = is
	return err
}

// restore applies one line of a checkpoint to the state. done is true at the end of the checkpoint.
func (s *State) restore(body []byte, lines int) (done bool, err error) {
	var text string
	switch kind := kindOf(body); kind {
	case "batch":
		b := &Batch{}
		err = parse(body, b.fields)
		s.batches[b.Name] = b
	case "segment":
		var o Output
		err = parse(body, func(c *codec) { segmentFields(c, &text, &o) })
		if err == nil {
			err = belongs(o.Name, text)
		}
		s.segments[text] = append(s.segments[text], o)
	case "stage":
		st := newStage()
		err = parse(body, func(c *codec) { st.fields(c, &text) })
		s.stages[text] = st
	case "queue":
		q := &Total{}
		err = parse(body, func(c *codec) { q.fields(c, &text) })
		s.queues[text] = q
	case "readers":
		var stages []string
		err = parse(body, func(c *codec) { readersFields(c, &text, &stages) })
		for _, stage := range stages {
			s.readers[Reading{text, stage}] = true
		}
	case "seed":
		return false, readMember(s.seeds, true, body, "key", (*codec).text)
	case "request":
		return false, readMember(s.toClear, false, body, "id", (*codec).text)
	case "part":
		var done int64
		err = parse(body, func(c *codec) { partFields(c, &text, &done) })
		s.parts[text] = done
	case "remove":
		return false, readMember(s.toRemove, false, body, "file", (*codec).name)
	case "place":
		return false, readMember(s.toPlace, false, body, "file", (*codec).name)
	case "end":
		n := -1
		err = parse(body, func(c *codec) { numberField(c, "lines", &n, true) })
		if err == nil && n != lines {
			err = fmt.Errorf("the checkpoint ends after %d lines, but its end line says %d", lines, n)
		}
		return err == nil, err
	default:
		err = fmt.Errorf("a %q line within a checkpoint", kind)
	}
	return false, err
}

func (s *State) restoreHead(body []byte) error {
	if kind := kindOf(body); kind != "log" {
		return fmt.Errorf("begins with %.40q and not with a log line: this is not a transaction log", kind)
	}
	return parse(body, s.head)
}

func (s *State) head(c *codec) {
	version := Version
	if numberField(c, "version", &version, true); c.err == nil && version != Version {
		c.fail(fmt.Errorf("format version %d, this program reads version %d", version, Version))
	}
	if c.field("epoch", true) {
		c.text(&s.epoch)
	}
	numberField(c, "generation", &s.generation, true)
	numberField(c, "next", &s.next, true)
	numberField(c, "seq", &s.seq, true)
	numberField(c, "lastbatch", &s.lastBatch, true)
}

func (b *Batch) fields(c *codec) {
	if c.field("file", true) {
		b.Output.values(c)
	}
	c.timeField("since", &b.Since)
	c.textsField("read", &b.Read)
	if c.writing {
		for _, stage := range sortedKeys(b.Marks) {
			c.field("mark", true)
			b.Marks[stage].values(c)
		}
		return
	}
	for c.field("mark", false) {
		var m Mark
		m.values(c)
		b.setMark(m)
	}
}

func segmentFields(c *codec, state *string, o *Output) {
	if c.field("state", true) {
		c.text(state)
	}
	if c.field("file", true) {
		o.values(c)
	}
}

func (st *Stage) fields(c *codec, name *string) {
	if c.field("name", true) {
		c.text(name)
	}
	c.timeField("last", &st.Last)
	numberField(c, "seq", &st.Seq, true)
	numberField(c, "row", &st.Row, true)
	c.timeField("rest", &st.Rest)
	numberField(c, "commits", &st.Commits, true)
	numberField(c, "aborts", &st.Aborts, true)
	numberField(c, "records", &st.Records, true)
	c.durationField("cpu_us", &st.CPU, time.Microsecond, true)
	c.durationField("wall_ms", &st.Wall, time.Millisecond, true)
	numberField(c, "mem", &st.Memory, true)
	totals(c, "reason", st.Reasons)
	totals(c, "count", st.Counts)
	if c.writing {
		for _, name := range sortedKeys(st.Because) {
			because := st.Because[name]
			c.field("because", true)
			because.values(c)
		}
		return
	}
	for c.field("because", false) {
		var because Because
		because.values(c)
		st.Because[because.Name] = because
	}
}

func totals(c *codec, key string, sums map[string]int64) {
	var all []Count
	if c.writing {
		for _, name := range sortedKeys(sums) {
			all = append(all, Count{name, sums[name]})
		}
	}
	list(c, key, &all, (*Count).values)
	for _, n := range all {
		sums[n.Name] = n.N
	}
}

func (t *Total) fields(c *codec, name *string) {
	if !c.field("name", true) {
		return
	}
	c.text(name)
	number(c, &t.Batches)
	number(c, &t.Records)
	number(c, &t.Bytes)
	if c.another(t.Brought > 0) {
		number(c, &t.Brought)
	}
}

func readersFields(c *codec, queue *string, stages *[]string) {
	if c.field("queue", true) {
		c.text(queue)
	}
	c.textsField("stage", stages)
}

func partFields(c *codec, id *string, done *int64) {
	if c.field("id", true) {
		c.text(id)
	}
	numberField(c, "done", done, true)
}
