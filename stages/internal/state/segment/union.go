package segment

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"
)

// A keyStream gives the keys of a sorted source, many at a time.
type keyStream interface {
	// next returns the next keys, valid until it is called again; none at the end.
	next() ([]uint64, error)
}

// mergeKeys is merge for states of keys alone: keys go by in blocks, and of many sources the small ones are
// merged first, so that most keys pass through one merge of two.
func mergeKeys(w *Writer, batch []uint64, segments []*Reader) error {
	s := union(batch, segments)
	for {
		keys, err := s.next()
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := w.addKeys(keys); err != nil {
			return err
		}
	}
}

// union returns a stream of all keys, each once.
func union(batch []uint64, segments []*Reader) keyStream {
	type source struct {
		keyStream
		size uint64
	}
	sources := []source{{&sliceKeys{batch}, uint64(len(batch))}}
	for _, r := range segments {
		sources = append(sources, source{&segmentKeys{reader: r}, r.total})
	}
	for len(sources) > 1 {
		slices.SortStableFunc(sources, func(a, b source) int { return cmp.Compare(b.size, a.size) })
		a, b := sources[len(sources)-2], sources[len(sources)-1]
		sources = append(sources[:len(sources)-2], source{&twoKeys{a: a, b: b}, a.size + b.size})
	}
	return sources[0].keyStream
}

// sliceKeys is a stream of keys in memory.
type sliceKeys struct{ keys []uint64 }

func (s *sliceKeys) next() ([]uint64, error) {
	keys := s.keys
	s.keys = nil
	return keys, nil
}

// segmentKeys is a stream of a segment's keys. It checks each block when it comes to it.
type segmentKeys struct {
	reader *Reader
	block  int // the next
	keys   [blockKeys]uint64
}

func (s *segmentKeys) next() ([]uint64, error) {
	if s.block == s.reader.blocks() {
		return nil, nil
	}
	var x opened
	if err := s.reader.checkedBlock(s.block, &x); err != nil {
		return nil, err
	}
	s.block++
	keys := s.keys[:x.keys.n]
	for i := range keys {
		keys[i] = x.keys.at(i)
	}
	return keys, nil
}

// twoKeys merges two streams.
type twoKeys struct {
	a, b keyStream
	x, y []uint64 // what is left of what they gave
	keys [blockKeys]uint64
}

func (s *twoKeys) next() ([]uint64, error) {
	if err := errors.Join(fill(&s.x, s.a), fill(&s.y, s.b)); err != nil {
		return nil, err
	}
	if len(s.x) == 0 || len(s.y) == 0 { // one is at its end: the other passes
		keys := s.x
		if len(keys) == 0 {
			keys = s.y
		}
		s.x, s.y = nil, nil
		return keys, nil
	}
	n, i, j := mergeTwo(&s.keys, s.x, s.y)
	s.x, s.y = s.x[i:], s.y[j:]
	return s.keys[:n], nil
}

// fill takes the next keys of s where there are none left.
func fill(left *[]uint64, s keyStream) (err error) {
	if len(*left) == 0 {
		*left, err = s.next()
	}
	return err
}

// mergeTwo merges x and y into out until one of the three is at its end; it returns how many keys it wrote, and how
// many it took of each. A processor cannot foresee which key is the smaller, and a branch that is foreseen wrongly
// costs more than all the rest: so there is none, but the borrow of a subtraction, which is 1 or 0.
func mergeTwo(out *[blockKeys]uint64, x, y []uint64) (n, i, j int) {
	for n < len(out) && i < len(x) && j < len(y) {
		a, b := x[i], y[j]
		_, above := bits.Sub64(b, a, 0) // a is above b
		_, below := bits.Sub64(a, b, 0)
		out[n] = a ^ (a^b)&-above
		n++
		i += 1 - int(above)
		j += 1 - int(below)
	}
	return n, i, j
}
