package txlog

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
	head := c.begin("log").addInt("version", Version).add("epoch", c.epoch)
	head.addInt("generation", int64(c.generation)).addInt("next", int64(c.next))
	head.addInt("seq", int64(c.seq)).addInt("lastbatch", int64(c.lastBatch))
	c.end()
	for _, name := range sortedKeys(c.batches) {
		c.writeBatch(c.batches[name])
	}
	for _, state := range sortedKeys(c.segments) {
		for _, seg := range c.segments[state] {
			c.begin("segment").add("state", state).add("file", seg.values()...)
			c.end()
		}
	}
	for _, name := range sortedKeys(c.stages) {
		c.writeStage(name, c.stages[name])
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
	for _, stage := range sortedKeys(b.Marks) {
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
	for _, name := range sortedKeys(st.Because) {
		because := st.Because[name]
		l.add("because", because.values()...)
	}
	c.end()
}

func (b *builder) addTotals(key string, totals map[string]int64) {
	for _, name := range sortedKeys(totals) {
		b.add(key, name, itoa(totals[name]))
	}
}

func (c *checkpoint) writeQueues() {
	for _, name := range sortedKeys(c.queues) {
		q := c.queues[name]
		values := []string{name, itoa(q.Batches), itoa(q.Records), itoa(q.Bytes)}
		if q.Brought > 0 {
			values = append(values, itoa(q.Brought))
		}
		c.begin("queue").add("name", values...)
		c.end()
	}
	stages := map[string][]string{}
	for _, r := range c.Readings() {
		stages[r.Queue] = append(stages[r.Queue], r.Stage)
	}
	for _, queue := range sortedKeys(stages) {
		c.begin("readers").add("queue", queue).add("stage", stages[queue]...)
		c.end()
	}
}

// writePending writes what was brought in, answered, and has left: sets of names.
func (c *checkpoint) writePending() {
	writeSet(c, "seed", "key", c.seeds)
	writeSet(c, "request", "id", c.toClear)
	for _, id := range sortedKeys(c.parts) {
		c.begin("part").add("id", id).addInt("done", c.parts[id])
		c.end()
	}
	writeSet(c, "remove", "file", c.toRemove)
	writeSet(c, "place", "file", c.toPlace)
}

func writeSet[T ~string](c *checkpoint, kind, key string, set map[T]bool) {
	for _, member := range sortedKeys(set) {
		c.begin(kind).add(key, string(member))
		c.end()
	}
}
