package txlog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

func (c *Commit) apply(s *State) error {
	for _, step := range []func(*State) error{
		c.applyInputs, c.applyOutputs, c.applySegments, c.applyRequest,
	} {
		if err := step(s); err != nil {
			return fmt.Errorf("transaction %d: %w", c.Tx, err)
		}
	}
	if c.Stage != "" {
		c.applyTotals(s)
	}
	if c.Seed != "" {
		s.seeds[c.Seed] = true
	}
	return nil
}

func (c *Commit) applyInputs(s *State) error {
	for _, in := range c.Inputs {
		b := s.batches[in.Name]
		if b == nil {
			return fmt.Errorf("read %s, which is not live", in.Name)
		}
		if b.HasRead(c.Stage) {
			return fmt.Errorf("read %s a second time", in.Name)
		}
		if in.Gone {
			s.drop(in.Name)
			continue
		}
		b.unmark(c.Stage)
		b.Read = append(b.Read, c.Stage)
	}
	return nil
}

func (c *Commit) applyOutputs(s *State) error {
	for _, o := range c.Outputs {
		if s.batches[o.Name] != nil {
			return fmt.Errorf("made %s a second time", o.Name)
		}
		t := s.queue(o.Name.Queue())
		t.Batches++
		t.Records += max(o.Records, 0)
		t.Bytes += o.Size
		if c.Stage == "" {
			t.Brought++
		}
		if !o.Product {
			s.lastBatch = s.seq
		}
		if o.Export {
			s.toPlace[o.Name] = false
			continue
		}
		s.batches[o.Name] = &Batch{Output: o, Since: c.Run.End}
	}
	return nil
}

// applySegments replaces segments. They must be the newest, because of two entries with the same
// key the one in the newer segment counts.
func (c *Commit) applySegments(s *State) error {
	segments := s.segments[c.State]
	keep := len(segments) - len(c.Replaced)
	if keep < 0 {
		return fmt.Errorf("replaces %d segments of %s, which has %d", len(c.Replaced), c.State, len(segments))
	}
	for i, name := range c.Replaced {
		if segments[keep+i].Name != name {
			return fmt.Errorf("replaces %s, which is not among the newest of %s", name, c.State)
		}
		s.toRemove[name] = false
	}
	for _, o := range c.Segments {
		if err := belongs(o.Name, c.State); err != nil {
			return err
		}
	}
	if c.State != "" {
		s.segments[c.State] = append(segments[:keep:keep], c.Segments...)
	}
	return nil
}

// belongs returns an error if a segment is not in the folder of its state.
func belongs(segment Name, state string) error {
	if segment.Dir() != "state/"+state {
		return fmt.Errorf("%s is not a segment of the state %s", segment, state)
	}
	return nil
}

func (c *Commit) applyRequest(s *State) error {
	if c.Request != "" {
		s.toClear[c.Request] = false
		delete(s.parts, c.Request)
	}
	if c.Part.Name != "" {
		s.parts[c.Part.Name] = c.Part.N
	}
	for _, m := range c.Reset {
		if b := s.batches[m.Name]; b != nil {
			b.setMark(Mark{Name: m.Name, Stage: m.Stage})
		}
		st := s.stage(m.Stage)
		if st.Row, st.Rest = 0, (time.Time{}); m.Name == "" {
			st.Last = time.Time{}
		}
	}
	for _, f := range c.Forget {
		s.forget(f)
	}
	for _, name := range c.Gone {
		if s.batches[name] == nil && !s.dropSegment(name) {
			return fmt.Errorf("drops %s, which is not live", name)
		}
		s.drop(name)
	}
	if c.Export != "" {
		s.export(c.Export)
	}
	if c.Was.From != "" {
		s.rename(c.Was.From, c.Was.To)
	}
	return nil
}

// export removes a queue's batches from the live set, as if they had been committed for other
// machines.
func (s *State) export(queue string) {
	for name := range s.batches {
		if name.Queue() == queue {
			delete(s.batches, name)
			s.toPlace[name] = false
		}
	}
}

// rename moves the data about a stage from its former name to its new name, unless it has run under
// the new name.
func (s *State) rename(from, to string) {
	if st, now := s.stages[from], s.stages[to]; st != nil && (now == nil || now.Commits+now.Aborts == 0) {
		s.stages[to] = st
	}
	delete(s.stages, from)
	for r := range maps.Clone(s.readers) {
		if r.Stage == from {
			delete(s.readers, r)
			s.readers[Reading{r.Queue, to}] = true
		}
	}
	for _, b := range s.batches {
		read, mark := b.HasRead(from), b.Mark(from)
		b.forget(from)
		switch {
		case b.HasRead(to):
		case read:
			b.unmark(to)
			b.Read = append(b.Read, to)
		case b.Mark(to).Zero():
			mark.Stage = to
			b.setMark(mark)
		}
	}
}

// forget removes data: that about a stage; the marks of a stage on the batches of a queue that it
// does not read any more; the segments of a state; or the totals of a queue.
func (s *State) forget(f Forgotten) {
	switch f.Kind {
	case "stage":
		delete(s.stages, f.Name)
		maps.DeleteFunc(s.readers, func(r Reading, _ bool) bool { return r.Stage == f.Name })
		for _, b := range s.batches {
			b.forget(f.Name)
		}
	case "reader":
		queue, stage, _ := strings.Cut(f.Name, "/")
		delete(s.readers, Reading{queue, stage})
		for name, b := range s.batches {
			if name.Queue() == queue {
				b.forget(stage)
			}
		}
	case "state":
		for _, seg := range s.segments[f.Name] {
			s.toRemove[seg.Name] = false
		}
		delete(s.segments, f.Name)
	case "queue":
		delete(s.queues, f.Name)
		maps.DeleteFunc(s.readers, func(r Reading, _ bool) bool { return r.Queue == f.Name })
	}
}

func (b *Batch) forget(stage string) {
	b.unmark(stage)
	b.Read = slices.DeleteFunc(b.Read, func(s string) bool { return s == stage })
	if len(b.Read) == 0 {
		b.Read = nil
	}
}

// dropSegment removes a segment from its state, and reports whether it was there.
func (s *State) dropSegment(name Name) bool {
	state, i := s.findSegment(name)
	if i < 0 {
		return false
	}
	s.segments[state] = slices.Delete(slices.Clone(s.segments[state]), i, i+1)
	return true
}

func (s *State) drop(name Name) {
	delete(s.batches, name)
	s.toRemove[name] = false
}

func (c *Commit) applyTotals(s *State) {
	st := s.ran(c.Stage, &c.Run)
	st.Seq = s.seq
	st.Commits++
	st.Row = 0
	st.Records += max(c.Read, 0)
	for _, r := range c.Reasons {
		st.Reasons[r.Name] += r.N
	}
	for _, n := range c.Counts {
		st.Counts[n.Name] += n.N
	}
	for _, n := range c.Gauges {
		st.Counts[n.Name] = n.N
	}
	for _, b := range c.Because {
		st.because(b)
	}
}

// because adds n to a reason. It keeps the first example.
func (st *Stage) because(b Because) {
	if known, ok := st.Because[b.Name]; ok {
		known.N += b.N
		if known.Example == "" {
			known.Example, known.Remedy = b.Example, b.Remedy
		}
		b = known
	}
	st.Because[b.Name] = b
}
