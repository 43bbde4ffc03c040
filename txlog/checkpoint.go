package txlog

import (
	"maps"
	"slices"
)

// Version is the version of the format that this package writes and reads.
const Version = 1

// bodies are the lines of a checkpoint, in an order that does not depend on
// how the maps lie: the same state always gives the same bytes.
func (s *State) bodies() [][]byte {
	head := newLine("log").addInt("version", Version).add("epoch", s.Epoch)
	head.addInt("generation", int64(s.Generation)).addInt("next", int64(s.Next))
	head.addInt("seq", int64(s.Seq)).addInt("lastbatch", int64(s.LastBatch))
	out := [][]byte{head.buf}
	for _, name := range slices.Sorted(maps.Keys(s.Batches)) {
		out = append(out, s.Batches[name].body())
	}
	for _, state := range slices.Sorted(maps.Keys(s.Segments)) {
		for _, seg := range s.Segments[state] {
			out = append(out, newLine("segment").add("state", state).add("file", seg.values()...).buf)
		}
	}
	out = append(out, s.stageBodies()...)
	out = append(out, s.smallBodies()...)
	return append(out, newLine("end").addInt("lines", int64(len(out)+1)).buf)
}

func (b *Batch) body() []byte {
	l := newLine("batch").add("file", b.values()...).addTime("since", b.Since).add("read", b.Read...)
	for _, stage := range slices.Sorted(maps.Keys(b.Marks)) {
		l.add("mark", b.Marks[stage].values()...)
	}
	return l.buf
}

func (s *State) stageBodies() (out [][]byte) {
	for _, name := range slices.Sorted(maps.Keys(s.Stages)) {
		st := s.Stages[name]
		l := newLine("stage").add("name", name).addTime("last", st.Last).addInt("seq", int64(st.Seq))
		l.addInt("row", int64(st.Row)).addTime("rest", st.Rest)
		l.addInt("commits", st.Commits).addInt("aborts", st.Aborts).addInt("records", st.Records)
		l.addInt("cpu_us", st.CPU.Microseconds()).addInt("wall_ms", st.Wall.Milliseconds()).addInt("mem", st.Memory)
		l.addTotals("reason", st.Reasons)
		l.addTotals("count", st.Counts)
		out = append(out, l.buf)
	}
	return out
}

func (b *builder) addTotals(key string, totals map[string]int64) {
	for _, name := range slices.Sorted(maps.Keys(totals)) {
		b.add(key, name, itoa(totals[name]))
	}
}

func (s *State) smallBodies() (out [][]byte) {
	for _, name := range slices.Sorted(maps.Keys(s.Queues)) {
		q := s.Queues[name]
		out = append(out, newLine("queue").add("name", name, itoa(q.Batches), itoa(q.Records), itoa(q.Bytes)).buf)
	}
	for _, queue := range slices.Sorted(maps.Keys(s.Readers)) {
		if readers := slices.Sorted(maps.Keys(s.Readers[queue])); len(readers) > 0 {
			out = append(out, newLine("readers").add("queue", queue).add("stage", readers...).buf)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.Seeds)) {
		out = append(out, newLine("seed").add("key", key).buf)
	}
	for _, id := range slices.Sorted(maps.Keys(s.Requests)) {
		out = append(out, newLine("request").add("id", id).buf)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Remove)) {
		out = append(out, newLine("remove").add("file", string(name)).buf)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Place)) {
		out = append(out, newLine("place").add("file", string(name)).buf)
	}
	return out
}
