package waiting

import (
	"multitext/stages/internal/run/output"
	"multitext/stages/internal/run/report"
	"multitext/stages/internal/state/ordered"
)

// Bounds of what a run has in memory.
const (
	rowBytes = 512      // that a row takes, about
	mostHeld = 16 << 20 // bytes of rows and of what came in, from which on they go to a file
)

// relieve has what the run took in go to a file of its own where it is too much for memory.
func (s *State) relieve() error {
	if s.held < s.most {
		return nil
	}
	return s.spill()
}

// spill has what the run took in go to a file of its own.
func (s *State) spill() error {
	b := s.entries()
	if err := s.set.Spill(s.rules.Spill, b); err != nil {
		return err
	}
	s.forget()
	return nil
}

// Save writes what this run has changed as a new segment at path, with those that it is merged
// with; with an empty path nothing is remembered.
func (s *State) Save(files *output.Run, path string, rep *report.Report) error {
	if err := s.takeIn(); err != nil {
		return err
	}
	b := s.entries()
	if s.manyGone() {
		s.set.MergeAll()
		s.meta.gone = 0
	}
	s.saveModel(b)
	b.Add(metaKey, s.meta.pack())
	return s.set.Append(files, path, b, &fold{pack: &s.pack, meta: s.meta}, rep)
}

// manyGone tells whether URLs that were taken out take about a third of the state. All segments are
// merged then: where little comes in, the large ones would else stay for long.
func (s *State) manyGone() bool {
	size := uint64(0)
	for _, n := range s.set.Sizes() {
		size += uint64(n)
	}
	return 3*s.meta.gone > size
}

// entriesOfRow is how many entries there are for a row, about: itself, its place and a chunk.
const entriesOfRow = 2

// entries is what this run has changed, less what is known of all hosts together.
func (s *State) entries() *ordered.Entries {
	s.listChanged()
	b := &ordered.Entries{}
	b.Grow(len(s.order) * entriesOfRow)
	s.links.save(b)
	for _, d := range s.domains {
		if d.changed {
			b.Add(d.key, d.pack())
		}
	}
	for _, r := range s.order {
		if !r.changed {
			continue
		}
		//failpoint:rows-forgotten if r.was.urls > 0 { continue }
		s.count(r)
		b.Add(rowKey(r.host), r.pack())
		if r.listed && r.moved {
			b.Add(r.place.key(r.host), nil)
		}
		for _, q := range r.queues {
			for _, c := range q.fresh {
				if c.last >= q.head {
					b.Add(chunkKey(r.host, q.band, c.last), c.value())
				}
			}
		}
	}
	return b
}
