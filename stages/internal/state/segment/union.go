package segment

import (
	"errors"
	"math/bits"
	"slices"
)

// union is the stream of all segments, of which the oldest is the first; of equal keys the newest
// one's entry wins. Each segment is larger than all newer ones together (blockfile.Newest), so most
// entries pass through one merge.
func union(segments []*Reader) stream {
	var s stream = &once{}
	for _, r := range slices.Backward(segments) {
		s = &pair{a: s, b: &blocks{reader: r}}
	}
	return s
}

// pair merges two streams; of equal keys the entry of a wins.
type pair struct {
	a, b   stream
	x, y   Entries // what is left of what they gave
	keys   [blockKeys]uint64
	values [][]byte
}

func (s *pair) next() (e Entries, err error) {
	if err := errors.Join(fill(&s.x, s.a), fill(&s.y, s.b)); err != nil {
		return e, err
	}
	if len(s.x.Keys) == 0 || len(s.y.Keys) == 0 { // one is at its end: the other passes
		if e = s.x; len(e.Keys) == 0 {
			e = s.y
		}
		s.x, s.y = Entries{}, Entries{}
		return e, nil
	}
	var i, j int
	if s.x.Values == nil && s.y.Values == nil {
		e.Keys, i, j = mergeKeys(&s.keys, s.x.Keys, s.y.Keys)
	} else {
		e, i, j = s.mergeEntries()
	}
	s.x, s.y = s.x.from(i), s.y.from(j)
	return e, nil
}

// fill takes the next entries of s where there are none left.
func fill(left *Entries, s stream) (err error) {
	if len(left.Keys) == 0 {
		*left, err = s.next()
	}
	return err
}

// mergeEntries merges x and y until one of them, or the room for keys, is at its end; it returns
// how many it took of each.
func (s *pair) mergeEntries() (e Entries, i, j int) {
	e = Entries{s.keys[:0], s.values[:0]}
	for len(e.Keys) < blockKeys && i < len(s.x.Keys) && j < len(s.y.Keys) {
		a, b := s.x.Keys[i], s.y.Keys[j]
		if a <= b {
			e.Add(a, s.x.value(i))
			i++
		} else {
			e.Add(b, s.y.value(j))
		}
		if b <= a {
			j++
		}
	}
	s.values = e.Values
	return e, i, j
}

// mergeKeys is mergeEntries of keys alone. A processor cannot foresee which key is the smaller, and
// a branch that is foreseen wrongly costs more than all the rest: so there is none, but the borrow
// of a subtraction, which is 1 or 0.
func mergeKeys(out *[blockKeys]uint64, x, y []uint64) (keys []uint64, i, j int) {
	n := 0
	for n < len(out) && i < len(x) && j < len(y) {
		a, b := x[i], y[j]
		_, above := bits.Sub64(b, a, 0) // a is above b
		_, below := bits.Sub64(a, b, 0)
		out[n] = a ^ (a^b)&-above
		n++
		i += 1 - int(above)
		j += 1 - int(below)
	}
	return out[:n], i, j
}
