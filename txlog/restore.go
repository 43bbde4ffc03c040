package txlog

import (
	"errors"
	"fmt"
	"time"
)

// restore folds one line of a checkpoint into the state; done at its end.
func (s *State) restore(r *reader, lines int) (done bool, err error) {
	switch string(r.kind) {
	case "batch":
		return false, s.restoreBatch(r)
	case "segment":
		return false, s.restoreSegment(r)
	case "stage":
		return false, s.restoreStage(r)
	case "readers":
		return false, s.restoreReaders(r)
	case "queue":
		r.only("name")
		q := s.queue(r.text())
		q.Batches, q.Records, q.Bytes = r.int(), r.int(), r.int()
		if r.left {
			q.Brought = r.int()
		}
	case "seed":
		r.only("key")
		s.seeds[r.text()] = true
	case "request":
		r.only("id")
		s.toClear[r.text()] = false
	case "part":
		r.only("id")
		id := r.text()
		r.only("done")
		s.parts[id] = r.int()
	case "remove":
		r.only("file")
		s.toRemove[r.name()] = false
	case "place":
		r.only("file")
		s.toPlace[r.name()] = false
	case "end":
		r.only("lines")
		if n := r.int(); r.err == nil && n != int64(lines) {
			return false, fmt.Errorf("the checkpoint ends after %d lines and says %d", lines, n)
		}
		return true, r.end()
	default:
		return false, fmt.Errorf("a %q line within a checkpoint", r.kind)
	}
	return false, r.end()
}

func (s *State) restoreHead(r *reader) error {
	if string(r.kind) != "log" {
		return fmt.Errorf("begins with %.40q and not with a log line: this is no transaction log", r.kind)
	}
	for r.next() {
		switch string(r.key) {
		case "version":
			if v := r.int(); r.err == nil && v != Version {
				return fmt.Errorf("format version %d, this program reads version %d", v, Version)
			}
		case "epoch":
			s.epoch = r.text()
		case "generation":
			s.generation = uint64(r.int())
		case "next":
			s.next = uint64(r.int())
		case "seq":
			s.seq = uint64(r.int())
		case "lastbatch":
			s.lastBatch = uint64(r.int())
		default:
			r.unknown()
		}
	}
	return r.err
}

func (s *State) restoreBatch(r *reader) error {
	b := &Batch{}
	for r.next() {
		switch string(r.key) {
		case "file":
			b.Output = r.output()
		case "since":
			b.Since = r.time()
		case "read":
			b.Read = r.words()
		case "mark":
			b.setMark(r.mark())
		default:
			r.unknown()
		}
	}
	if r.err == nil && b.Name == "" {
		return errors.New("a batch line without a file")
	}
	s.batches[b.Name] = b
	return r.err
}

func (s *State) restoreSegment(r *reader) error {
	var state string
	for r.next() {
		switch string(r.key) {
		case "state":
			state = r.text()
		case "file":
			s.segments[state] = append(s.segments[state], r.output())
		default:
			r.unknown()
		}
	}
	return r.err
}

func (s *State) restoreReaders(r *reader) error {
	var queue string
	for r.next() {
		switch string(r.key) {
		case "queue":
			queue = r.text()
		case "stage":
			if queue == "" {
				return errors.New("a readers line without a queue")
			}
			for r.left {
				s.readers[Reading{queue, r.text()}] = true
			}
		default:
			r.unknown()
		}
	}
	return r.err
}

func (s *State) restoreStage(r *reader) error {
	var st *Stage
	for r.next() {
		if string(r.key) == "name" {
			st = s.stage(r.text())
			continue
		}
		if st == nil {
			return errors.New("a stage line without a name")
		}
		switch string(r.key) {
		case "last":
			st.Last = r.time()
		case "rest":
			st.Rest = r.time()
		case "reason":
			name := r.text()
			st.Reasons[name] = r.int()
		case "count":
			name := r.text()
			st.Counts[name] = r.int()
		case "because":
			b := r.because()
			st.Because[b.Name] = b
		default:
			st.set(r, r.int())
		}
	}
	return r.err
}

func (st *Stage) set(r *reader, n int64) {
	switch string(r.key) {
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
