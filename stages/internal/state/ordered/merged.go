package ordered

import "sort"

// Merged walks over the entries of a merge in the order of their keys: those that are appended and
// those of the segments that are replaced; of equal keys it gives the newest.
type Merged struct {
	fresh  []entry // that are to come, sorted
	values [][]byte
	old    *Cursor
}

// Next returns the next entry; ok is false at the end. The value is valid until the set is closed.
func (m *Merged) Next() (key Key, value []byte, ok bool, err error) {
	key, value, ok, err = m.old.peek()
	if err != nil || len(m.fresh) == 0 || ok && key.Less(m.fresh[0].key) {
		m.old.given = ok
		return key, value, ok, err
	}
	first := m.fresh[0]
	m.old.given = ok && key == first.key // it is an older entry
	m.fresh = m.fresh[1:]
	return first.key, m.values[first.at], true, nil
}

// Seek goes forward to the first entry whose key is not below key: Next returns it.
func (m *Merged) Seek(key Key) error {
	m.fresh = m.fresh[sort.Search(len(m.fresh), func(i int) bool { return !m.fresh[i].key.Less(key) }):]
	return m.old.Seek(key)
}
