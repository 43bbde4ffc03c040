package segment

import (
	"math"
	"math/bits"
)

// Get returns the value of key, valid until Close; it is nil in a segment of keys alone.
func (r *Reader) Get(key uint64) (value []byte, ok bool, err error) {
	i := r.findBlock(key)
	if i < 0 {
		return nil, false, nil
	}
	var x opened
	if err := r.block(i, &x); err != nil {
		return nil, false, err
	}
	next := uint64(math.MaxUint64)
	if i+1 < r.blocks() {
		next = r.first(i + 1)
	}
	j := x.keys.lowerBound(interpolate(key-x.first, next-x.first, x.keys.n), key)
	if j == x.keys.n || x.keys.at(j) != key {
		return nil, false, nil
	}
	value, err = r.value(&x, j)
	return value, err == nil, err
}

// findBlock returns the last block whose first key is not above key, -1 if there is none.
func (r *Reader) findBlock(key uint64) int {
	n := r.blocks()
	if n == 0 {
		return -1
	}
	guess, _ := bits.Mul64(key, uint64(n)) // key/2^64 of the way through
	firsts := column{data: r.index[8:], n: n, stride: indexSize, mask: ^uint64(0)}
	i := firsts.lowerBound(int(guess), key)
	if i < n && r.first(i) == key {
		return i
	}
	return i - 1
}

// interpolate returns where of n evenly spread keys the one at distance d of span should be.
func interpolate(d, span uint64, n int) int {
	hi, lo := bits.Mul64(d, uint64(n))
	if hi >= span {
		return n - 1
	}
	q, _ := bits.Div64(hi, lo, span)
	return int(min(q, uint64(n-1)))
}
