package txlog

import (
	"maps"
	"slices"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

// A checkpoint is a state on its way into a log, line by line: what a start removes may
// be a million files, and their lines are in memory one at a time.
type checkpoint struct {
	*State
	line  builder
	lines int64
	put   func(body []byte) // takes a line, which is good until it returns
}

// write puts the lines in an order that does not depend on how the maps lie: the same
// state always gives the same bytes.
func (c *checkpoint) write() {
	head := c.begin("log").addInt("version", Version).add("epoch", c.Epoch)
	head.addInt("generation", int64(c.Generation)).addInt("next", int64(c.Next))
	head.addInt("seq", int64(c.Seq)).addInt("lastbatch", int64(c.LastBatch))
	c.end()
	for _, name := range slices.Sorted(maps.Keys(c.Batches)) {
		c.writeBatch(c.Batches[name])
	}
	for _, state := range slices.Sorted(maps.Keys(c.Segments)) {
		for _, seg := range c.Segments[state] {
			c.begin("segment").add("state", state).add("file", seg.values()...)
			c.end()
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Stages)) {
		c.writeStage(name, c.Stages[name])
	}
	c.writeQueues()
	c.writePending()
	c.begin("end").addInt("lines", c.lines+1)
	c.end()
}

func (c *checkpoint) begin(kind string) *builder {
	c.line.buf = append(c.line.buf[:0], kind...)
	return &c.line
}

func (c *checkpoint) end() {
	c.put(c.line.buf)
	c.lines++
}

func (c *checkpoint) writeBatch(b *Batch) {
	l := c.begin("batch").add("file", b.values()...).addTime("since", b.Since).add("read", b.Read...)
	for _, stage := range slices.Sorted(maps.Keys(b.Marks)) {
		l.add("mark", b.Marks[stage].values()...)
	}
	c.end()
}

func (c *checkpoint) writeStage(name string, st *Stage) {
	l := c.begin("stage").add("name", name).addTime("last", st.Last).addInt("seq", int64(st.Seq))
	l.addInt("row", int64(st.Row)).addTime("rest", st.Rest)
	l.addInt("commits", st.Commits).addInt("aborts", st.Aborts).addInt("records", st.Records)
	l.addInt("cpu_us", st.CPU.Microseconds()).addInt("wall_ms", st.Wall.Milliseconds()).addInt("mem", st.Memory)
	l.addTotals("reason", st.Reasons)
	l.addTotals("count", st.Counts)
	for _, name := range slices.Sorted(maps.Keys(st.Because)) {
		because := st.Because[name]
		l.add("because", because.values()...)
	}
	c.end()
}

func (b *builder) addTotals(key string, totals map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		b.add(key, name, itoa(totals[name]))
	}
}

func (c *checkpoint) writeQueues() {
	for _, name := range slices.Sorted(maps.Keys(c.Queues)) {
		q := c.Queues[name]
		values := []string{name, itoa(q.Batches), itoa(q.Records), itoa(q.Bytes)}
		if q.Brought > 0 {
			values = append(values, itoa(q.Brought))
		}
		c.begin("queue").add("name", values...)
		c.end()
	}
	for _, queue := range slices.Sorted(maps.Keys(c.Readers)) {
		if readers := slices.Sorted(maps.Keys(c.Readers[queue])); len(readers) > 0 {
			c.begin("readers").add("queue", queue).add("stage", readers...)
			c.end()
		}
	}
}

// writePending writes what was brought in, answered, and has left: sets of names.
func (c *checkpoint) writePending() {
	writeSet(c, "seed", "key", c.Seeds)
	writeSet(c, "request", "id", c.Requests)
	for _, id := range slices.Sorted(maps.Keys(c.Parts)) {
		c.begin("part").add("id", id).addInt("done", c.Parts[id])
		c.end()
	}
	writeSet(c, "remove", "file", c.Remove)
	writeSet(c, "place", "file", c.Place)
}

func writeSet[T ~string](c *checkpoint, kind, key string, set map[T]bool) {
	for _, member := range slices.Sorted(maps.Keys(set)) {
		c.begin(kind).add(key, string(member))
		c.end()
	}
}
