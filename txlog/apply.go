package txlog

import (
	"fmt"
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
		s.Seeds[c.Seed] = true
	}
	return nil
}

func (c *Commit) applyInputs(s *State) error {
	for _, in := range c.Inputs {
		b := s.Batches[in.Name]
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
		if s.Batches[o.Name] != nil {
			return fmt.Errorf("made %s a second time", o.Name)
		}
		t := s.queue(o.Name.Queue())
		t.Batches++
		t.Records += max(o.Records, 0)
		t.Bytes += o.Size
		if c.Stage == "" {
			t.Brought++
		}
		s.LastBatch = s.Seq
		if o.Export {
			s.Place[o.Name] = false
			continue
		}
		s.Batches[o.Name] = &Batch{Output: o, Since: c.Run.End}
	}
	return nil
}

// applySegments replaces the newest segments, which must be the newest: only
// then does "newest wins" stay right.
func (c *Commit) applySegments(s *State) error {
	segments := s.Segments[c.State]
	keep := len(segments) - len(c.Replaced)
	if keep < 0 {
		return fmt.Errorf("replaces %d segments of %s, which has %d", len(c.Replaced), c.State, len(segments))
	}
	for i, name := range c.Replaced {
		if segments[keep+i].Name != name {
			return fmt.Errorf("replaces %s, which is not among the newest of %s", name, c.State)
		}
		s.remove(name)
	}
	segments = segments[:keep:keep]
	for _, o := range c.Segments {
		segments = append(segments, &Segment{o})
	}
	if c.State != "" {
		s.Segments[c.State] = segments
	}
	return nil
}

func (c *Commit) applyRequest(s *State) error {
	if c.Request != "" {
		s.Requests[c.Request] = false
		delete(s.Parts, c.Request)
	}
	if c.Part.Name != "" {
		s.Parts[c.Part.Name] = c.Part.N
	}
	for _, m := range c.Reset {
		if b := s.Batches[m.Name]; b != nil {
			b.setMark(Mark{Name: m.Name, Stage: m.Stage})
		}
		st := s.Stage(m.Stage)
		if st.Row, st.Rest = 0, (time.Time{}); m.Name == "" {
			st.Last = time.Time{}
		}
	}
	for _, f := range c.Forget {
		s.forget(f)
	}
	for _, name := range c.Gone {
		if s.Batches[name] == nil && !s.dropSegment(name) {
			return fmt.Errorf("lets go of %s, which is not live", name)
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

// export lets a queue's batches leave the live set as if they had been committed for
// other machines.
func (s *State) export(queue string) {
	for name := range s.Batches {
		if name.Queue() == queue {
			delete(s.Batches, name)
			s.Place[name] = false
		}
	}
}

// rename lets a stage have what is remembered of another, whose name it had before, unless it
// has run by its own.
func (s *State) rename(from, to string) {
	if st, now := s.Stages[from], s.Stages[to]; st != nil && (now == nil || now.Commits+now.Aborts == 0) {
		s.Stages[to] = st
	}
	delete(s.Stages, from)
	for _, readers := range s.Readers {
		if readers[from] {
			delete(readers, from)
			readers[to] = true
		}
	}
	for _, b := range s.Batches {
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

// forget lets go of a stage's marks, of those it has against the batches of a
// queue that it reads no more, of a state's segments, or of a queue's totals.
func (s *State) forget(f Forgotten) {
	switch f.Kind {
	case "stage":
		delete(s.Stages, f.Name)
		for _, readers := range s.Readers {
			delete(readers, f.Name)
		}
		for _, b := range s.Batches {
			b.forget(f.Name)
		}
	case "reader":
		queue, stage, _ := strings.Cut(f.Name, "/")
		delete(s.Readers[queue], stage)
		for name, b := range s.Batches {
			if name.Queue() == queue {
				b.forget(stage)
			}
		}
	case "state":
		for _, seg := range s.Segments[f.Name] {
			s.remove(seg.Name)
		}
		delete(s.Segments, f.Name)
	case "queue":
		delete(s.Queues, f.Name)
		delete(s.Readers, f.Name)
	}
}

func (b *Batch) forget(stage string) {
	b.unmark(stage)
	b.Read = slices.DeleteFunc(b.Read, func(s string) bool { return s == stage })
	if len(b.Read) == 0 {
		b.Read = nil
	}
}

// dropSegment takes a segment out of its state, and reports whether it was there.
func (s *State) dropSegment(name Name) bool {
	for state, segments := range s.Segments {
		for i, seg := range segments {
			if seg.Name == name {
				s.Segments[state] = slices.Concat(segments[:i], segments[i+1:])
				return true
			}
		}
	}
	return false
}

// Live is a live batch or segment; ok is false where there is none of that name.
func (s *State) Live(name Name) (o Output, ok bool) {
	if b := s.Batches[name]; b != nil {
		return b.Output, true
	}
	for _, segments := range s.Segments {
		for _, seg := range segments {
			if seg.Name == name {
				return seg.Output, true
			}
		}
	}
	return o, false
}

func (s *State) drop(name Name) {
	delete(s.Batches, name)
	s.remove(name)
}

func (c *Commit) applyTotals(s *State) {
	st := s.ran(c.Stage, &c.Run)
	st.Seq = s.Seq
	st.Commits++
	st.Row = 0
	st.Records += max(c.Read, 0)
	for _, r := range c.Reasons {
		st.Reasons[r.Name] += r.N
	}
	for _, n := range c.Counts {
		st.Counts[n.Name] += n.N
	}
	for _, b := range c.Because {
		st.because(b)
	}
}

// because adds to what is known of a reason. The first example stays.
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
