package waiting

import "multitext/stages/internal/state/ordered"

// readModel reads what was learned, if something learns in this run.
func (s *State) readModel() error {
	if s.rules.Model == nil {
		return nil
	}
	walk := s.set.Cursor()
	if err := walk.Seek(modelKey(0)); err != nil {
		return err
	}
	for {
		key, value, ok, err := walk.Next()
		if err != nil || !ok {
			return err
		}
		block, ok := isModel(key)
		if !ok {
			return nil
		}
		if err := s.rules.Model.Load(block, value); err != nil {
			return err
		}
	}
}

// saveModel adds what was learned in this run to what is written.
func (s *State) saveModel(b *ordered.Entries) {
	if s.rules.Model != nil {
		//failpoint:nothing-remembered return
		s.rules.Model.Changed(func(block int, value []byte) { b.Add(modelKey(block), value) })
	}
}
