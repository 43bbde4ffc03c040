package txlog

import (
	"cmp"
	"fmt"
	"time"
)

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
			r.unknown()
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
		default:
			r.unknown()
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
		default:
			r.unknown()
		}
	}
	return r.err
}

func (s *State) restoreReaders(l line) error {
	r := reader{}
	var queue string
	for _, f := range l.fields {
		r.field(f)
		switch f.key {
		case "queue":
			queue = r.text(0)
			s.Readers[queue] = map[string]bool{}
		case "stage":
			for _, stage := range f.values {
				s.Readers[queue][stage] = true
			}
		default:
			r.unknown()
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
			st.set(&r, r.int(0))
		}
	}
	return r.err
}

func (st *Stage) set(r *reader, n int64) {
	switch r.f.key {
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
	default:
		r.unknown()
	}
}
