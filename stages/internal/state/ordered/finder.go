package ordered

import "slices"

// A Finder looks up keys that ascend. It goes on in each segment from where it is, so it is cheaper
// than Get where many keys are asked for.
type Finder struct{ leaves []*leaf } // of all segments, the newest first

// Finder returns a Finder of the set, which ends when the set is closed.
func (s *Set) Finder() *Finder {
	f := &Finder{}
	for _, r := range slices.Backward(s.segments) {
		f.leaves = append(f.leaves, &leaf{reader: r, block: -1})
	}
	return f
}

// Get returns the newest value of key, valid until the set is closed. key is not below that of the call
// before.
func (f *Finder) Get(key Key) (value []byte, ok bool, err error) {
	for _, l := range f.leaves {
		if l.end {
			continue
		}
		if err := l.seek(key); err != nil {
			return nil, false, err
		}
		if !l.end && l.key == key {
			value, err := l.reader.value(&l.x, l.i)
			return value, err == nil, err
		}
	}
	return nil, false, nil
}
