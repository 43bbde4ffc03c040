package txlog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
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

// restore folds one line of a checkpoint into the state; done at its end.
func (s *State) restore(l line, lines int) (done bool, err error) {
	r := reader{}
	first := field{}
	if len(l.fields) > 0 {
		first = l.fields[0]
	}
	r.field(first)
	switch l.kind {
	case "batch":
		err = s.restoreBatch(l)
	case "segment":
		err = s.restoreSegment(l)
	case "stage":
		err = s.restoreStage(l)
	case "queue":
		s.Queues[r.text(0)] = &Total{r.int(1), r.int(2), r.int(3)}
	case "readers":
		err = s.restoreReaders(l)
	case "seed":
		s.Seeds[r.text(0)] = true
	case "request":
		s.Requests[r.text(0)] = false
	case "remove":
		s.Remove[r.name(0)] = false
	case "place":
		s.Place[r.name(0)] = false
	case "end":
		if n := r.int(0); r.err == nil && n != int64(lines) {
			return false, fmt.Errorf("the checkpoint ends after %d lines and says %d", lines, n)
		}
		return true, r.err
	default:
		return false, fmt.Errorf("a %q line within a checkpoint", l.kind)
	}
	return false, cmp.Or(err, r.err)
}

func (s *State) restoreHead(l line) error {
	if l.kind != "log" {
		return fmt.Errorf("begins with %q and not with a log line: this is no transaction log", l.kind)
	}
	r := reader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "version":
			if v := r.int(0); v != Version {
				return fmt.Errorf("format version %d, this program reads version %d", v, Version)
			}
		case "epoch":
			s.Epoch = r.text(0)
		case "generation":
			s.Generation = uint64(r.int(0))
		case "next":
			s.Next = uint64(r.int(0))
		case "seq":
			s.Seq = uint64(r.int(0))
		case "lastbatch":
			s.LastBatch = uint64(r.int(0))
		default:
			r.fail(fmt.Errorf("unknown to this version of the log"))
		}
	}
	return r.err
}

func (s *State) restoreBatch(l line) error {
	b := &Batch{}
	r := reader{}
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "file":
			b.Output = r.output()
		case "since":
			b.Since = r.time(0)
		case "read":
			b.Read = f.values
		case "mark":
			b.setMark(r.mark())
		}
	}
	s.Batches[b.Name] = b
	return r.err
}

func (s *State) restoreSegment(l line) error {
	r := reader{}
	var state string
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "state":
			state = r.text(0)
		case "file":
			s.Segments[state] = append(s.Segments[state], &Segment{r.output()})
		}
	}
	return r.err
}

func (s *State) restoreReaders(l line) error {
	r := reader{}
	var queue string
	for _, f := range l.fields {
		r.field(f)
		if f.key == "queue" {
			queue = r.text(0)
			s.Readers[queue] = map[string]bool{}
			continue
		}
		for _, stage := range f.values {
			s.Readers[queue][stage] = true
		}
	}
	return r.err
}

func (s *State) restoreStage(l line) error {
	r := reader{}
	var st *Stage
	for _, f := range l.fields {
		r.field(f)
		if f.key == "name" {
			st = s.Stage(r.text(0))
			continue
		}
		if st == nil {
			return fmt.Errorf("a stage line without a name")
		}
		switch f.key {
		case "last":
			st.Last = r.time(0)
		case "rest":
			st.Rest = r.time(0)
		case "reason":
			st.Reasons[r.text(0)] = r.int(1)
		case "count":
			st.Counts[r.text(0)] = r.int(1)
		default:
			n, err := strconv.ParseInt(r.text(0), 10, 64)
			r.fail(err)
			st.set(f.key, n)
		}
	}
	return r.err
}

func (st *Stage) set(key string, n int64) {
	switch key {
	case "seq":
		st.Seq = uint64(n)
	case "row":
		st.Row = int(n)
	case "commits":
		st.Commits = n
	case "aborts":
		st.Aborts = n
	case "records":
		st.Records = n
	case "cpu_us":
		st.CPU = time.Duration(n) * time.Microsecond
	case "wall_ms":
		st.Wall = time.Duration(n) * time.Millisecond
	case "mem":
		st.Memory = n
	}
}
