package segment

// A stream gives entries in the order of their keys, many at a time.
type stream interface {
	// next returns the next entries, valid until it is called again; none at the end.
	next() (Entries, error)
}

// each calls do with every entry of s.
func each(s stream, do func(key uint64, value []byte) error) error {
	for {
		e, err := s.next()
		if err != nil || len(e.Keys) == 0 {
			return err
		}
		for i, key := range e.Keys {
			if err := do(key, e.value(i)); err != nil {
				return err
			}
		}
	}
}

// once is the stream of entries in memory.
type once struct{ left Entries }

func (s *once) next() (e Entries, err error) {
	e, s.left = s.left, Entries{}
	return e, nil
}

// blocks is the stream of a segment. It checks each block when it comes to it.
type blocks struct {
	reader *Reader
	i      int // the next
	keys   [blockKeys]uint64
	values [][]byte
}

func (s *blocks) next() (Entries, error) {
	if s.i == s.reader.blocks() {
		return Entries{}, nil
	}
	var x opened
	if err := s.reader.checkedBlock(s.i, &x); err != nil {
		return Entries{}, err
	}
	s.i++
	e := Entries{Keys: s.keys[:x.n]}
	for i := range e.Keys {
		e.Keys[i] = x.at(i)
	}
	if !s.reader.values {
		return e, nil
	}
	s.values = s.values[:0]
	for i := range e.Keys {
		value, err := s.reader.value(&x, i)
		if err != nil {
			return Entries{}, err
		}
		s.values = append(s.values, value)
	}
	e.Values = s.values
	return e, nil
}

// wanted is a stream without the entries whose values keep does not want.
type wanted struct {
	stream
	keep func(value []byte) bool
	kept Entries
}

func (s *wanted) next() (Entries, error) {
	for {
		e, err := s.stream.next()
		if err != nil || len(e.Keys) == 0 {
			return e, err
		}
		s.kept = Entries{s.kept.Keys[:0], s.kept.Values[:0]}
		for i, key := range e.Keys {
			if value := e.value(i); s.keep(value) {
				s.kept.Add(key, value)
			}
		}
		if len(s.kept.Keys) > 0 {
			return s.kept, nil
		}
	}
}
