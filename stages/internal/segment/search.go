package segment

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Get returns the value of key, valid until Close; it is nil in a segment of keys alone.
func (r *Reader) Get(key uint64) (value []byte, ok bool, err error) {
	i := r.findBlock(key)
	if i < 0 {
		return nil, false, nil
	}
	x, data, err := r.block(i)
	if err != nil {
		return nil, false, err
	}
	n, next := int(x.n), uint64(math.MaxUint64)
	if i+1 < r.blocks() {
		next = r.first(i + 1)
	}
	j := lowerBound(data, 8, n, interpolate(key-x.first, next-x.first, n), key)
	if j == n || binary.LittleEndian.Uint64(data[8*j:]) != key {
		return nil, false, nil
	}
	value, err = r.value(data, n, j)
	return value, err == nil, err
}

// findBlock returns the last block whose first key is not above key, -1 if there is none.
func (r *Reader) findBlock(key uint64) int {
	n := r.blocks()
	if n == 0 {
		return -1
	}
	guess, _ := bits.Mul64(key, uint64(n)) // key/2^64 of the way through
	i := lowerBound(r.index[8:], indexSize, n, int(guess), key)
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

// lowerBound returns the first i below n whose key is at least key, else n. The key of i
// is at b[i*stride]. It gallops from guess, which costs little when guess is near.
func lowerBound(b []byte, stride, n, guess int, key uint64) int {
	at := func(i int) uint64 { return binary.LittleEndian.Uint64(b[i*stride:]) }
	lo, hi := 0, n // the answer is in [lo, hi]
	if at(guess) < key {
		lo = guess + 1
		for step := 1; lo+step < hi; step *= 2 {
			if at(lo+step) >= key {
				hi = lo + step
				break
			}
			lo += step + 1
		}
	} else {
		hi = guess
		for step := 1; hi-step > lo; step *= 2 {
			if at(hi-step) < key {
				lo = hi - step + 1
				break
			}
			hi -= step
		}
	}
	for lo < hi {
		if mid := int(uint(lo+hi) / 2); at(mid) < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
