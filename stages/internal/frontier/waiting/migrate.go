package waiting

import "multitext/stages/internal/state/ordered"

// migrate writes the rows of a state of version 1 or 2 anew, where version 3 has them. They go to a file
// of their own, and from there into the segment that is saved. Nobody reads the old ones any more; merges
// drop them. Until version 3 the row of a host had the key host, 0. So it lay in front of the host's chunks,
// and each row that was looked up was in a page of its own.
func (s *State) migrate() error {
	walk, rows := s.set.Cursor(), &ordered.Entries{}
	for at := (ordered.Key{Hi: 1}); ; at = (ordered.Key{Hi: at.Hi + 1}) {
		if err := walk.Seek(at); err != nil {
			return err
		}
		key, value, ok, err := walk.Next()
		if err != nil {
			return err
		}
		if !ok || key.Hi >= listPart {
			break
		}
		if at = key; !isOldRow(key) {
			continue // links lead to URLs of a host that never had one, and a domain need not be a host
		}
		r, err := unpackRow(key.Hi, value)
		if err != nil {
			return err
		}
		s.count(r) // those of version 1 are not counted yet
		rows.Add(rowKey(r.host), r.pack())
		if rows.Len()*rowBytes >= s.most {
			if err := s.set.Spill(s.rules.Spill, rows); err != nil {
				return err
			}
			rows = &ordered.Entries{}
		}
	}
	if err := s.set.Spill(s.rules.Spill, rows); err != nil {
		return err
	}
	s.meta.old = false
	s.forget()
	return nil
}
